import { testConformance } from '../testing/conformance/test-conformance.ts';
import { MICROVM } from './testing/subject.ts';

testConformance(MICROVM);
