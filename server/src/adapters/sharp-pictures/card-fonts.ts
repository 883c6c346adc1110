import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

const subsets = ['latin', 'latin-ext', 'greek'] as const

/** A letter is looked for in one after the other. */
export const FAMILIES = subsets.join(', ')

const weights = [400, 500] as const

/** The letters that cards are written with, from the package: nothing is taken from a network. */
export function readFonts() {
  return Promise.all(
    weights.flatMap((weight) =>
      subsets.map(async (subset) => {
        const name = `@fontsource/inter/files/inter-${subset}-${weight}-normal.woff`
        const data = await readFile(fileURLToPath(import.meta.resolve(name)))
        return { name: subset, data, weight, style: 'normal' as const }
      }),
    ),
  )
}
