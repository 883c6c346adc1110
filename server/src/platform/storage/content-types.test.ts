import { describe, expect, it } from 'vitest'
import { drawn } from '../../../test/pictures.ts'
import { detectContentType, isAllowed, mediaTypeOf, storedContentType } from './content-types.ts'

const page = '<html><script>alert(1)</script></html>'
const svg = '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'

describe('a type', () => {
  it.each([
    ['image/PNG', 'image/png'],
    ['text/plain; charset="UTF-8"', 'text/plain'],
    ['undefined', undefined],
    ['', undefined],
    ['text', undefined],
    ['text/', undefined],
    ['text/html\r\nx: y', undefined],
    ['text/html,text/plain', undefined],
  ])('of %j is %s', (text, type) => {
    expect(mediaTypeOf(text)).toBe(type)
  })

  it.each([
    ['text/plain;charset=UTF-8', 'text/plain;charset=UTF-8'],
    ['TEXT/plain; charset="latin1"; x=y', 'text/plain;charset=latin1'],
    ['text/plain; charset="a\\"b"', 'text/plain'],
    [undefined, 'application/octet-stream'],
    ['nonsense', 'application/octet-stream'],
  ])('given as %s is kept as %s', (given, kept) => {
    expect(storedContentType(given)).toBe(kept)
  })
})

describe('what a file truly is', () => {
  it.each([
    ['image/png', page, 'text/html'],
    ['image/png', `  \n<!-- a --><html>`, 'text/html'],
    // A browser that treats it as a picture renders nothing.
    ['image/png', `GIF${page}`, 'image/gif'],
    ['image/png', svg, 'image/svg+xml'],
    ['image/jpeg', `<?xml version="1.0"?>${svg}`, 'image/svg+xml'],
    ['application/pdf', '<?xml version="1.0"?><a/>', 'application/xml'],
    ['video/mp4', Buffer.from(page, 'utf16le'), 'text/html'],
    ['image/webp', 'only a text', 'application/octet-stream'],
    ['image/png', '', 'application/octet-stream'],
    ['image/png', '%PDF-1.7\n%âãÏÓ\n', 'application/pdf'],
    ['image/x-of-its-own', 'only a text', 'image/x-of-its-own'],
    ['text/plain', page, 'text/plain'],
    ['application/octet-stream', page, 'application/octet-stream'],
    ['text/html', page, 'text/html'],
    ['image/svg+xml', svg, 'image/svg+xml'],
  ])('when it claims to be %s and is %s: %s', async (claimed, content, type) => {
    expect(await detectContentType(claimed, Buffer.from(content))).toBe(type)
  })

  it.each([
    ['image/jpeg', 'image/jpeg'],
    ['image/jpg', 'image/jpg'],
    ['image/png', 'image/jpeg'],
  ])('when a JPEG claims to be %s: %s', async (claimed, type) => {
    expect(await detectContentType(claimed, await drawn().jpeg().toBuffer())).toBe(type)
  })
})

describe('a bucket', () => {
  it.each([
    ['image/png', null, true],
    ['image/png', [], true],
    ['image/png', ['image/png'], true],
    ['image/png', ['IMAGE/*'], true],
    ['image/png', ['*/*'], true],
    ['text/plain;charset=utf-8', ['text/plain'], true],
    ['image/png', ['image/jpeg', 'text/*'], false],
    ['text/html', ['image/*'], false],
  ])('takes %s if it allows %j: %s', (type, allowed, takes) => {
    expect(isAllowed(type, allowed)).toBe(takes)
  })
})
