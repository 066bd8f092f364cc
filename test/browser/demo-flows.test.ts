import { allFlows, describeFlows, isInSlice } from './demo-flows.ts';

describeFlows(allFlows.filter(isInSlice));
