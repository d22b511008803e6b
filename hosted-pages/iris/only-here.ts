/** Whether an address is one that only this machine reaches. */
export const isOnlyHere = ({ hostname }: URL): boolean =>
  /^(localhost|127\.[\d.]+|\[::1\])$|\.localhost$/.test(hostname)
