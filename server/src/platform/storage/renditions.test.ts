import { describe, expect, it } from 'vitest'
import {
  parseTransform,
  renditionName,
  renditionOf,
  serializeTransform,
  TransformOptions,
  transformationsOf,
} from './renditions.ts'

const chrome = 'image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8'

describe('how a picture is drawn', () => {
  it.each([
    [{}, { fit: 'cover', format: 'jpeg', quality: 80 }],
    [{ width: '100' }, { width: 100, fit: 'cover', format: 'jpeg', quality: 80 }],
    [
      { height: 2000, quality: 20 },
      { height: 2000, fit: 'cover', format: 'jpeg', quality: 20 },
    ],
    [
      { width: 1, height: 1, resize: 'contain' },
      { width: 1, height: 1, fit: 'inside', format: 'jpeg', quality: 80 },
    ],
    [
      { resize: 'fill', quality: '100' },
      { fit: 'fill', format: 'jpeg', quality: 100 },
    ],
    [{ format: 'avif' }, { fit: 'cover', format: 'avif', quality: 80 }],
  ])('follows the wish %j', (transform, rendition) => {
    expect(renditionOf(TransformOptions.parse(transform), 'image/jpeg', '*/*')).toEqual(rendition)
  })

  it.each([
    { width: 0 },
    { width: 2001 },
    { width: -1 },
    { width: 1.5 },
    { width: '1e9' },
    { width: ['1', '2'] },
    { height: 'NaN' },
    { height: '' },
    { quality: 19 },
    { quality: 101 },
    { resize: 'inside' },
    { format: 'svg' },
    { format: 'jpeg' },
  ])('has bounds: %j is none', (transform) => {
    expect(TransformOptions.safeParse(transform).success).toBe(false)
  })

  it.each([
    [undefined, 'image/png', chrome, 'avif'],
    [undefined, 'image/png', 'image/webp,*/*', 'webp'],
    [undefined, 'image/png', 'IMAGE/WEBP ; q=0.9', 'webp'],
    [undefined, 'image/png', 'image/avif;q=0, image/webp', 'webp'],
    [undefined, 'image/png', 'image/webp;q=0.0', 'png'],
    [undefined, 'image/png', '*/*', 'png'],
    [undefined, 'image/jpeg', '', 'jpeg'],
    [undefined, 'image/gif', '*/*', 'png'],
    ['origin', 'image/png', chrome, 'png'],
    ['origin', 'image/webp', '*/*', 'webp'],
    ['webp', 'image/png', '*/*', 'webp'],
  ])('with format %s, of %s for who takes %s is %s', (format, type, accept, drawn) => {
    expect(renditionOf(TransformOptions.parse({ format }), type, accept).format).toBe(drawn)
  })

  it.each([
    [{}, 'quality:80'],
    [{ width: 9, height: 8, quality: 20 }, 'height:8,width:9,resizing_type:fill,quality:20'],
    [{ width: 9, resize: 'contain' }, 'width:9,resizing_type:fit,quality:80'],
    [
      { height: 9, resize: 'fill', format: 'avif' },
      'height:9,resizing_type:force,quality:80,format:avif',
    ],
    [{ resize: 'fill', format: 'origin' }, 'quality:80'],
  ])('of %j is told as %s', (transform, told) => {
    expect(transformationsOf(TransformOptions.parse(transform))).toBe(told)
  })

  it('has one name, and another drawing another', () => {
    const named = (transform: object) =>
      renditionName(renditionOf(TransformOptions.parse(transform), 'image/png', '*/*'))
    expect(named({ width: '10' })).toBe(named({ quality: 80, width: 10 }))
    const wishes = [{}, { width: 11 }, { height: 11 }, { width: 1, height: 1 }, { resize: 'fill' }]
    const others = [...wishes, { quality: 81 }, { format: 'webp' }]
    expect(new Set(others.map(named)).size).toBe(others.length)
    expect(named({})).toMatch(/^[0-9a-f]{32}$/)
  })

  it('is the same after it was signed', () => {
    const transform = TransformOptions.parse({
      width: 10,
      height: 20,
      resize: 'fill',
      format: 'origin',
    })
    expect(serializeTransform(transform)).toBe(
      'width:10,height:20,resize:fill,format:origin,quality:80',
    )
    expect(parseTransform(serializeTransform(transform))).toEqual(transform)
    expect(parseTransform(serializeTransform(TransformOptions.parse({})))).toEqual(
      TransformOptions.parse({}),
    )
  })
})
