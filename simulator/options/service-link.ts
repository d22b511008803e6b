/**
 * Whether an environment variable NAME_PORT holds the link to a service NAME, such as `tcp://10.96.0.7:8443`, in place of
 * a port: Kubernetes sets one in every pod for each Service of its namespace, Docker for each link between containers.
 */
export const isServiceLink = (variable: string, value: string | undefined): boolean =>
  variable.endsWith('_PORT') && /^(tcp|udp|sctp):\/\//.test(value ?? '')
