import { z } from 'zod';

/** A secret that the host keeps for one profile and its address: what can stand in an Authorization header after "Bearer". */
export const hostTokenSchema = z
  .string()
  .min(1)
  .max(4096)
  .regex(/^[!-~]*$/, { message: 'must be visible ASCII characters without blanks' });
