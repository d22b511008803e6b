import { Readable } from 'node:stream'
import type { Hono } from 'hono'
import type { ControlPlaneFeatures } from '../compose-control-plane.ts'

const HEADERS = {
  'Content-Type': 'application/vnd.sqlite3',
  'Content-Disposition': 'attachment; filename="assay.db"',
}

/** Adds the route of control that downloads a copy of the database, for the operator alone; HEAD makes no copy. */
export const addBackupRoute = (control: Hono, controlPlane: ControlPlaneFeatures): void => {
  control.get('/backup', async c => {
    if (c.req.method === 'HEAD') return c.body(null, 200, HEADERS)
    const { stream, bytes } = await controlPlane.backup()
    return c.body(Readable.toWeb(stream) as ReadableStream, 200, { ...HEADERS, 'Content-Length': String(bytes) })
  })
}
