import { USER as SHARED } from '../../../../shared/terminal/inside.ts';

/** Who the program is in the guest. The agent is root there, and the program never. */
export const USER = { ...SHARED, id: 65_534 } as const;
