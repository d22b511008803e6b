import { Readable } from 'node:stream'
import type { Hono } from 'hono'
import type { RouteDependencies } from './route-dependencies.ts'

/** Adds the route of control that downloads a copy of the database, for the operator alone. */
export const addBackupRoute = (control: Hono, { controlPlane }: RouteDependencies): void => {
  control.get('/backup', async c => {
    const { stream, bytes } = await controlPlane.backup()
    return c.body(Readable.toWeb(stream) as ReadableStream, 200, {
      'Content-Type': 'application/vnd.sqlite3',
      'Content-Disposition': 'attachment; filename="assay.db"',
      'Content-Length': String(bytes),
    })
  })
}
