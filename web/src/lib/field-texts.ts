import type { z } from 'zod/mini'

/** By the code of an issue; `empty` for an empty text, `other` for any other issue. */
type Texts = Partial<Record<string, string>> & { other: string }

/** The Italian error texts of a form's fields, for a schema of the contract, which has none. */
export function fieldTexts<Field extends string>(texts: Record<Field, Texts>) {
  const known = new Map(Object.entries<Texts>(texts))
  return ({ code, path, input }: Pick<z.core.$ZodRawIssue, 'code' | 'path' | 'input'>) => {
    const found = known.get(String(path?.at(-1)))
    return found && (found[input === '' ? 'empty' : ''] ?? found[code ?? ''] ?? found.other)
  }
}
