import { describe, expect, it } from 'vitest'
import { flyerPages, labelPages } from './sheet-pages.ts'

const many = (count: number) => Array.from({ length: count }, (_, index) => index)

describe('a flyer', () => {
  it.each<[number, string, number[]]>([
    [0, '', []],
    [1, 'large', [1]],
    [4, 'large', [4]],
    [5, 'tall', [5]],
    [6, 'tall', [6]],
    [7, 'usual', [7]],
    [9, 'usual', [9]],
    [10, 'usual', [9, 1]],
    [28, 'usual', [9, 9, 9, 1]],
  ])('of %i products is %s, on sheets of %o', (count, size, lengths) => {
    const pages = flyerPages(many(count))
    expect(pages.map(({ offers }) => offers.length)).toEqual(lengths)
    expect(pages.every((page) => page.size === size)).toBe(true)
    expect(pages.flatMap(({ offers }) => offers)).toEqual(many(count))
  })
})

describe('labels', () => {
  it.each<[number, number, number[]]>([
    [0, 5, []],
    [1, 1, [1]],
    [24, 1, [24]],
    [25, 1, [24, 1]],
    [1, 24, [24]],
    [2, 24, [24, 1]],
    [50, 3, [24, 24, 4]],
  ])('%i from place %i are on sheets of %o', (count, first, lengths) => {
    const pages = labelPages(many(count), first)
    expect(pages.map((page) => page.length)).toEqual(lengths)
    expect(pages.flat().slice(count === 0 ? 0 : first - 1)).toEqual(many(count))
  })

  it('leave out the places that are used', () => {
    expect(labelPages(['a'], 3)).toEqual([[null, null, 'a']])
  })
})
