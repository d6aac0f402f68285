import { MICROVM } from './microvm/testing/subject.ts';
import { SUBJECTS } from './testing/conformance/subjects.ts';
import { testConformance } from './testing/conformance/test-conformance.ts';

// Booting takes as long as all the others together: it has a file of its own, which runs beside this one.
for (const subject of SUBJECTS.filter((one) => one !== MICROVM)) testConformance(subject);
