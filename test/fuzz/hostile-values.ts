/** Texts that often break parsers. */
// biome-ignore format: words by the line
export const HOSTILE_TEXTS = [
  ...['', ' ', '\t', '\n', '\r\n', '\0', '\x7f', '\u0080', '\u00ff', '\u2028', '\ufeff', '\u202e', '\ud800', '𝔘', 'ﬃ', 'İ'],
  ...['"', "'", '`', '\\', '\\"', '%', '%00', '%zz', '%C3', '%2e%2e%2f', '../', '/', '//', '?', '#', '&', '=', ';', ',', ':', '|', '*', '~'],
  ...['(', ')', '[', ']', '{', '}', '<', '>', '{{x}}', '<i id=fuzz>', '"><i id=fuzz>', "' OR 1=1 --", '$&', '$1', '-1', '0', '-0', '1.5', '1e9'],
  ...['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'then', 'toJSON', 'length', 'null', 'undefined', 'NaN'],
  ...['1e400', '9007199254740993', '00', '0x10', '2026-02-30', '2026-13-45T99:99:99Z', 'PT0S', 'P9999999D', 'PT1e9S'],
] as const

const LONG = `"${'x'.repeat(3_000)}"`
const LINES = `"${'\\n'.repeat(300)}"`
const TURNED = `"${'\\u202e'.repeat(40)}"`
const MANY = `[${'0,'.repeat(2_000)}0]`
const LISTS = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`
const OBJECTS = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`

/** JSON texts of unusual values; the last ones are long or deep. */
// biome-ignore format: words by the line
export const HOSTILE_JSON_VALUES = [
  ...['null', 'true', '0', '-0', '-1', '1.5', '1e21', '1e400', '-1e-400', '9007199254740993', '123456789012345678901234567890'],
  ...['""', '" "', '"\\u0000"', '"\\ud800"', '"__proto__"', '"PT0S"', '"P9999999D"', '"2026-02-30"', '"<i id=fuzz>"', '"../../x"', '"%00"'],
  ...['[]', '[[]]', '[null]', '{}', '{"__proto__":{"a":1}}', '{"constructor":{"prototype":{"a":1}}}', '{"toString":1,"toJSON":1,"then":1}', '{"":{"":""}}'],
  ...[LONG, LINES, TURNED, MANY, LISTS(40), LISTS(5_000), OBJECTS(900)],
] as const

/** Member names that collide with JavaScript prototypes, or look like it. */
// biome-ignore format: words by the line
export const HOSTILE_MEMBER_NAMES = [
  ...['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'length', 'then', 'toJSON', '', ' ', 'a/b~c', 'a\nb', '\ud800', '0', 'x'.repeat(400)],
] as const

/** YAML texts with special meaning. */
// biome-ignore format: words by the line
export const YAML_PIECES = [
  ...['- ', '? ', ': ', ':', '\n', '\n  ', '\n- ', '\t', '|', '>', '|+\n', '>-\n', '&a ', '*a', '*b', '!!', '!!binary ', '!!set ', '!!omap ', '!!js/function ', '! '],
  ...['<<: ', '<<: *a\n', '---\n', '...\n', '%YAML 1.1\n', '%TAG ! x\n', '# x\n', '[', ']', '{', '}', '[[', '{a: ', ', ', "'", '"', '"\\x', '"\\u', '~', 'yes', '0o7', '1_000'],
  ...['.inf', '.nan', '2026-01-01', 'a: &a [x, x]\n', 'b: &b [*a, *a, *a]\n', 'scenarios:\n', 'name: ', 'kit: ', 'target:\n', '  baseUrl: '],
]
