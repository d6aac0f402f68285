/** The two messages between a preload and main: it asks for its page's port, and gets it. There are no others. */
export const CONNECT_CHANNEL = 'airlock:connect';
export const PORT_CHANNEL = 'airlock:port';

/** The same between the approval page's preload and main. */
export const APPROVAL_CONNECT_CHANNEL = 'airlock-approval:connect';
export const APPROVAL_PORT_CHANNEL = 'airlock-approval:port';
