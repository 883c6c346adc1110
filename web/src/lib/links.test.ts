import { expect, test } from 'vitest'
import { webLink } from './links.ts'

test.each([
  ['https://example.com/a.jpg', 'https://example.com/a.jpg'],
  ['http://example.com/a.jpg', 'http://example.com/a.jpg'],
  ['/media/a.jpg', '/media/a.jpg'],
  ['/api/order-images/3f2a.webp', '/api/order-images/3f2a.webp'],
  ['//example.com/a.jpg', null],
  ['/\\example.com', null],
  ['javascript:alert(1)', null],
  [' JavaScript:alert(1)', null],
  ['data:text/html,x', null],
  ['foto.jpg', null],
  ['', null],
  [undefined, null],
])('the address %s becomes the link %s', (address, link) => {
  expect(webLink(address)).toBe(link)
})
