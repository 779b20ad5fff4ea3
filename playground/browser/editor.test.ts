import { useWorld } from '../e2e/world';
import { describeAgentTool } from './agentTool';
import { describeContactBook } from './contactBook';
import { describeCredential } from './credential';
import { useEditor } from './editor';
import { describeExamples } from './examples';
import { describeFiveContacts } from './fiveContacts';
import { describeFirstCall } from './firstCall';
import { describeOutreach } from './outreach';
import { describePanel } from './panel';
import { describeTrigger } from './trigger';

const world = useWorld(true);
const inEditor = useEditor(world);

describeFirstCall(world, inEditor);
describePanel(world, inEditor);
describeAgentTool(world, inEditor);
describeFiveContacts(world, inEditor);
describeOutreach(world, inEditor);
describeTrigger(world, inEditor);
describeExamples(world, inEditor);
describeContactBook(world, inEditor);
describeCredential(world, inEditor);
