/** What holds while the user has no policy file. Shown as it is. */
export const BUILT_IN_POLICY = `// Used while there is no policy file. The first *.cedar file in the policies folder replaces all of it.

// Commands that need no approval may run.
@id("no-approval-needed")
permit (principal is Agent, action, resource)
when {
  context has invocation &&
  !context.invocation.contract.requires_approval
};

// The others may run when a person approved exactly this call.
@id("approved-by-a-person")
permit (principal is Agent, action, resource)
when {
  context has invocation &&
  context.invocation.contract.requires_approval &&
  context.has_human_approval &&
  context.approved_fingerprint == context.invocation.fingerprint
};
`;
