import { Ajv2020, type Options } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { hasUserInfo } from '../protocol/user-info.ts'

/**
 * Creates a strict validator of JSON Schema 2020-12 (ajv), with the formats of ajv-formats, of which a `uri` can be opened
 * too, and `url`, any absolute URL without a user name or password.
 */
export const createAjv = (options: Options = {}): Ajv2020 => {
  const ajv = new Ajv2020({ strict: true, strictRequired: false, ...options })
  addFormats.default(ajv)
  const hasFormOfUri = ajv.formats.uri as (text: string) => boolean
  ajv.addFormat('uri', text => hasFormOfUri(text) && URL.canParse(text)) // a port of 99999 has the form alone
  return ajv.addFormat('url', value => {
    const url = URL.parse(value)
    return url !== null && !hasUserInfo(url)
  })
}
