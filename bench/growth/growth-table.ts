/** Median duration in microseconds of each operation, at each number of payments. */
export type Growth = { payments: number; microseconds: Record<string, number> }[]

/** Formats durations by number of payments as a text table, each with its ratio to the smallest number. */
export const growthTable = (growth: Growth): string => {
  const [smallest] = growth
  const names = Object.keys(smallest?.microseconds ?? {})
  const cell = (name: string, { microseconds }: Growth[number]) => {
    const value = microseconds[name] ?? Number.NaN
    return `${value.toFixed(0)} µs  × ${(value / (smallest?.microseconds[name] ?? Number.NaN)).toFixed(2)}`.padStart(21)
  }
  return [
    'the middle of a thousand calls, without HTTP; × is the ratio to the first column',
    ''.padEnd(20) + growth.map(({ payments }) => `${payments.toLocaleString('en')} payments`.padStart(21)).join(''),
    ...names.map(name => name.padEnd(20) + growth.map(step => cell(name, step)).join('')),
  ].join('\n')
}
