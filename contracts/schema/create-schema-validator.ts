import { Ajv2020, type Options } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

/**
 * Creates a strict validator of JSON Schema 2020-12 (ajv), with the formats of ajv-formats and `url`, any absolute URL.
 */
export const createAjv = (options: Options = {}): Ajv2020 => {
  const ajv = new Ajv2020({ strict: true, strictRequired: false, ...options })
  addFormats.default(ajv)
  return ajv.addFormat('url', value => URL.canParse(value))
}
