import { rootlessBehaviours } from '../testing/conformance/rootless-behaviours.ts';
import { rootlessSubject } from '../testing/conformance/rootless-subject.ts';
import { testConformance } from '../testing/conformance/test-conformance.ts';

testConformance(rootlessSubject('Docker'), rootlessBehaviours('Docker'));
