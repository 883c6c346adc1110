import { z } from 'zod/mini'

/** A text that may be left out. Absent, empty or nothing but spaces: null. @param max characters */
export const optionalText = (max: number) =>
  z.pipe(
    z.nullish(z.string().check(z.trim(), z.maxLength(max))),
    z.transform((text) => text || null),
  )
