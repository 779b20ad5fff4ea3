export declare function onSignals(
	first: (signal: NodeJS.Signals) => void,
	again: () => void,
): () => void;

export declare function waitsFor(what: string, ms: number): string;
