import { createHash, randomUUID } from 'node:crypto'
import pg from 'pg'

/** Creates a PostgreSQL schema for a test by name; returns the connection URL with it as `search_path`. */
export const createPostgresSchema = async (url: string, name: string = randomUUID()): Promise<string> => {
  const schema = `s_${createHash('sha256').update(name).digest('hex').slice(0, 16)}`
  const client = new pg.Client(url)
  await client.connect()
  await client.query(`CREATE SCHEMA IF NOT EXISTS ${schema}`)
  await client.end()
  return `${url}?options=${encodeURIComponent(`-c search_path=${schema}`)}`
}
