/** A row of a copy. Null is null; bytes are those of `bytea`. */
export type CopiedRow = {
  text(column: string): string | null
  bytes(column: string): Buffer | null
  set(column: string, value: string | Buffer | null): void
}

/**
 * Changes rows in the text format of COPY: a line a row, tabs between the values, `\N` for null.
 *
 * `text` and `set` are for values without a tab, a backslash or a line break, such as ids; other values are not changed.
 */
export async function* changeRows(
  source: AsyncIterable<Buffer>,
  columns: readonly string[],
  change: (row: CopiedRow) => void,
): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of source) {
    const content = Buffer.concat([rest, chunk])
    const end = content.lastIndexOf('\n') + 1
    rest = content.subarray(end)
    if (end === 0) continue
    // Latin-1 keeps every byte as it is.
    const lines = content.toString('latin1', 0, end - 1).split('\n')
    const changed = lines.map((line) => `${changeLine(line, columns, change)}\n`)
    yield Buffer.from(changed.join(''), 'latin1')
  }
  if (rest.length > 0) throw new Error('a copy ends within a row')
}

function changeLine(
  line: string,
  columns: readonly string[],
  change: (row: CopiedRow) => void,
): string {
  const values = line.split('\t')
  const indexOf = (column: string) => {
    const index = columns.indexOf(column)
    if (index < 0) throw new Error(`a copy without the column ${column}`)
    return index
  }
  const text = (column: string) => {
    const value = values[indexOf(column)] ?? '\\N'
    return value === '\\N' ? null : value
  }
  change({
    text,
    bytes(column) {
      // The backslash of \x is doubled.
      const value = text(column)
      return value === null ? null : Buffer.from(value.slice(3), 'hex')
    },
    set(column, value) {
      const index = indexOf(column)
      if (value === null) values[index] = '\\N'
      else values[index] = typeof value === 'string' ? value : `\\\\x${value.toString('hex')}`
    },
  })
  return values.join('\t')
}
