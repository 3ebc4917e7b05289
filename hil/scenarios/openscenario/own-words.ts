/** Names of parameters by which an export of ours finds its way back. */
export const ownParameters = {
  id: 'drivemcp_id',
  family: 'drivemcp_family',
  seed: 'drivemcp_seed',
} as const;

/** Type of the custom command that holds a fault, as JSON. */
export const faultCommand = 'drivemcp.can_fault';
