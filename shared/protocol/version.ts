/** Name and major version of the connection protocol. A peer that names another is refused in the greeting. */
export const PROTOCOL = 'airlock-control/1';
