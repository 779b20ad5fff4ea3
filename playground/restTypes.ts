import type {
	IConnections,
	INode,
	INodeParameters,
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

export interface CredentialTestResult {
	status: 'OK' | 'Error';
	message: string;
}

export interface ListRequest {
	nodeTypeAndVersion: { name: string; version: number };
	currentNodeParameters: INodeParameters;
	credentials: Record<string, SavedCredential>;
	path: string;
	methodName: string;
	filter?: string;
}

export interface ListEntry {
	name: string;
	value: string;
}

export interface ExecutionSummary {
	id: string;
	workflowId: string;
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
