import type {
	IConnections,
	INode,
	IPinData,
	IRunExecutionData,
	IWorkflowSettings,
} from 'n8n-workflow';

export interface Owner {
	email: string;
	password: string;
	firstName: string;
	lastName: string;
}

export interface WorkflowDraft {
	name: string;
	nodes: INode[];
	connections: IConnections;
	settings?: IWorkflowSettings;
	pinData?: IPinData;
}

export interface SavedWorkflow extends WorkflowDraft {
	id: string;
	versionId: string;
	active: boolean;
}

export interface SavedCredential {
	id: string;
	name: string;
	type: string;
}

export interface ExecutionSummary {
	id: string;
	workflowId: string;
	workflowName?: string;
	status: string;
	mode: string;
	/** An ISO date. */
	startedAt: string;
}

export interface SavedExecution extends ExecutionSummary {
	data: IRunExecutionData;
	/** As n8n has stored it, for searching. */
	raw: string;
}
