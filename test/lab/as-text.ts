import type { LabRequest } from '../../contracts/protocol/lab/request.ts'

/** A request as it stands on the wire. */
export const asHttp = ({ method, target, headers, body }: LabRequest): Buffer =>
  Buffer.concat([
    Buffer.from(
      `${method} ${target} HTTP/1.1\r\n${headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`,
    ),
    body,
  ])
