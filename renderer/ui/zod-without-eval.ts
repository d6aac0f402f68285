import { z } from 'zod';

/**
 * zod compiles object schemas with `new Function` where it may, and finds out by trying: under our content security
 * policy each try is a reported violation. To be imported before any module that builds a schema.
 */
z.config({ jitless: true });
