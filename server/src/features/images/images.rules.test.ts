import { describe, expect, it } from 'vitest'
import { servedFormat } from './images.rules.ts'

describe('the format that is sent', () => {
  it.each([
    [
      'Chrome, in a page',
      'image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8',
      'avif',
    ],
    [
      'Chrome, in a tab',
      'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8',
      'avif',
    ],
    [
      'Safari',
      'image/webp,image/avif,image/jxl,image/heic,video/*;q=0.8,image/png,image/*;q=0.8',
      'avif',
    ],
    ['an older Safari', 'image/webp,image/png,image/svg+xml,image/*;q=0.8,*/*;q=0.5', 'webp'],
    ['an old browser', 'image/png,image/*;q=0.8,*/*;q=0.5', 'jpeg'],
    ['what shows links in chats', '*/*', 'jpeg'],
    ['what says nothing', undefined, 'jpeg'],
    ['what wants something else', 'text/html', 'jpeg'],
    ['nothing', '', 'jpeg'],
  ])('is one that %s takes', (_who, accept, format) => {
    expect(servedFormat(accept)).toBe(format)
  })

  it.each([
    ['image/avif;q=0.5, image/webp;q=0.9', 'webp'],
    ['image/webp;q=0.5, image/jpeg', 'jpeg'],
    ['image/webp;q=0.5, */*;q=0.4', 'webp'],
    ['image/webp, image/jpeg;q=0.2', 'webp'],
    ['image/avif;q=0, image/webp;q=0, image/*', 'jpeg'],
    ['image/avif;q=0', 'jpeg'],
    ['IMAGE/AVIF ; Q=0.8 , */*;q=0.1', 'avif'],
    ['image/avif;foo=1;q=0.001', 'avif'],
    ['image/avif;q=1.000', 'avif'],
    ['image/avif;q=2, image/webp', 'webp'],
    ['image/avif;q=0x1, image/webp;q=0.1', 'webp'],
    ['image/avif;q=-1', 'jpeg'],
    [',;,;q=1,image/webp', 'webp'],
    ['image/avifx, ximage/webp', 'jpeg'],
  ])('of %s is the one that is wished for most: %s', (accept, format) => {
    expect(servedFormat(accept)).toBe(format)
  })

  it('is found at once however long the list is', () => {
    expect(servedFormat('image/avif;q=0,'.repeat(1_000))).toBe('jpeg')
  })
})
