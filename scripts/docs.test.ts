import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ROOT } from './command.mjs'
import { readSource } from './protection-list.mjs'

type Excerpt = { page: string; file: string; lines: string[] }

/** Added lines of diffs in the pages of `docs` whose fence names a file: ```` ```diff path/to/file.ts ````. */
function excerpts(): Excerpt[] {
  const pages = readdirSync(join(ROOT, 'docs')).filter((name) => name.endsWith('.md'))
  return pages.flatMap((page) => {
    const text = readFileSync(join(ROOT, 'docs', page), 'utf8')
    return [...text.matchAll(/^```diff (\S+)\n([\s\S]*?)^```$/gm)].map(
      ([, file = '', code = '']) => ({
        page,
        file,
        lines: code.replaceAll(/^\+/gm, '').trimEnd().split('\n'),
      }),
    )
  })
}

/** Lines of an excerpt that are not in the file, in this order. A line `…` leaves any number out. */
function missing({ file, lines }: Excerpt): string[] {
  const source = readSource(file).split('\n')
  let from = 0
  return lines.filter((line) => {
    if (line.trim() === '…') return false
    const at = source.indexOf(line, from)
    if (at >= 0) from = at + 1
    return at < 0
  })
}

it('excerpts in the documents are in their files', () => {
  const all = excerpts()
  expect(all.length).toBeGreaterThan(5)
  for (const excerpt of all)
    expect(missing(excerpt), `${excerpt.page}: ${excerpt.file}`).toEqual([])
})

it('the files of the walks are there', () => {
  const text = readFileSync(join(ROOT, 'docs', 'ARCHITECTURE.md'), 'utf8')
  const files = [...text.matchAll(/^\d+\. `([^`]+\/[^`]+)`/gm)].map(([, file = '']) => file)
  expect(files.length).toBeGreaterThan(30)
  expect(files.filter((file) => !existsSync(join(ROOT, file)))).toEqual([])
})
