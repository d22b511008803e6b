/**
 * Whether the address of a hosted page is a loopback one, which no phone reaches that scans it as a QR code: only this
 * machine does.
 */
export const isOnlyHere = ({ hostname }: URL): boolean =>
  /^(localhost|127\.[\d.]+|\[::1\])$|\.localhost$/.test(hostname)
