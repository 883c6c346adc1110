import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

const subsets = ['latin', 'latin-ext', 'greek'] as const

/** Font families in the order in which a character is looked up. */
export const FAMILIES = subsets.join(', ')

const weights = [400, 500] as const

/** Reads the fonts of the cards from an npm package, without network access. */
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
