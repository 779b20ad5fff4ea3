import { useOpened } from '../e2e/world';
import { describeContactBook } from './contactBook';
import { describeDeliveries } from './deliveries';
import { describeExecutions } from './executions';
import { describeOutages } from './outages';
import { openQueueWorld } from './world';

const world = useOpened(openQueueWorld);

// What takes something away comes last.
describeExecutions(world);
describeContactBook(world);
describeDeliveries(world);
describeOutages(world);
