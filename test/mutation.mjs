/**
 * What `npm run mutation` does: it changes the source, one place at a time, and runs the tests that reach the place. A change
 * that no test notices survives. `npm run mutation -- rules` measures one part; without a name, all, which takes hours.
 *
 * Read each survivor. Add a test that fails with it; if it makes no difference, make the code simpler. After a change of
 * the source, delete the file of the part in `.build/mutation`. Aim at 90 %.
 */
import { Stryker } from '@stryker-mutator/core';
import path from 'node:path';

const SHARED = 'nodes/shared';
const TRIGGER = 'nodes/AssistantServiceTrigger';

/** What is measured together, and the tests that are to notice: files, or folders with all that is in them. */
const PARTS = {
	rules: {
		source: [`${SHARED}/rules/*.ts`, `!${SHARED}/rules/zoneData.ts`],
		tests: ['shared/rules', 'shared/declaration/phoneNumber'],
	},
	identity: {
		source: [`${SHARED}/{delivery/identify,items/subject}.ts`],
		tests: ['shared/delivery/identify', 'shared/items/subject'],
	},
	decide: {
		source: [`${SHARED}/delivery/decide.ts`],
		tests: ['shared/delivery/{decide,deliver}'],
	},
	answer: {
		source: [`${SHARED}/answer/*.ts`],
		tests: [
			'shared/{answer,delivery/decide,items/reading,items/readItems}',
			'shared/{declaration/hostileTexts,output/summary}',
		],
	},
	book: {
		source: [`${SHARED}/book/{claims,openTable,optOuts,view}.ts`],
		tests: ['shared/book/{claims,openTable,optOuts,view}', 'shared/rules/lists'],
	},
	trigger: {
		source: [`${TRIGGER}/{event,ipAllowlist,resultValues}.ts`],
		tests: ['trigger/{event,ipAllowlist,resultValues}'],
	},
	receive: {
		source: [`${TRIGGER}/{receive,repeats,namedProperties}.ts`],
		tests: ['trigger/{receive,receiveRepeats,repeats,lateRows,contact,optOut,callResult}'],
	},
	request: {
		source: [`${SHARED}/items/{readItems,parameterReader,blankFields,item,readItem,reading}.ts`],
		tests: ['shared/items/{readItems,parameters,readItem,reading,nothing}'],
	},
	service: {
		source: [`${SHARED}/service/*.ts`],
		tests: ['shared/service'],
	},
};

const configOf = (part, { source, tests }) => ({
	mutate: source,
	testRunner: 'jest',
	plugins: ['@stryker-mutator/jest-runner'],
	jest: {
		configFile: 'jest.config.js',
		enableFindRelatedTests: true,
		config: {
			testMatch: tests.flatMap((place) => [
				`<rootDir>/test/${place}.test.ts`,
				`<rootDir>/test/${place}/**/*.test.ts`,
			]),
			setupFiles: ['<rootDir>/test/timers.js', '<rootDir>/test/sameValues.ts'],
		},
	},
	coverageAnalysis: 'perTest',
	// A change of a constant that is made when a module is loaded would need all tests of the part.
	ignoreStatic: true,
	ignorePatterns: ['dist', 'docs/images', 'playground'],
	incremental: true,
	incrementalFile: path.join('.build', 'mutation', `${part}.json`),
	reporters: ['clear-text', 'progress-append-only'],
	clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
	tempDirName: '.build/mutants',
	concurrency: 2,
	// A busy machine is no change that was noticed.
	timeoutMS: 15_000,
	// jest compiles each file by itself and checks no types.
	disableTypeChecks: false,
	// The report lists all tests that notice a change; jest runs them in any case.
	disableBail: true,
});

const names = process.argv.slice(2);
const unknown = names.filter((name) => !(name in PARTS));
if (unknown.length > 0) {
	console.error(
		`There is no part ${unknown.join(', ')}. The parts: ${Object.keys(PARTS).join(', ')}`,
	);
	process.exit(1);
}
for (const [name, part] of Object.entries(PARTS)) {
	if (names.length > 0 && !names.includes(name)) continue;
	const began = Date.now();
	await new Stryker(configOf(name, part)).runMutationTest();
	console.log(`${name}: ${Math.round((Date.now() - began) / 60_000)} min`);
}
