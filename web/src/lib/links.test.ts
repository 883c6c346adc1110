import { expect, test } from 'vitest'
import { phoneLink, webLink } from './links.ts'

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

test.each([
  ['+39 333 123-4567', 'tel:+393331234567'],
  ['333 123 4567', 'tel:3331234567'],
  ['chiamare la sera', null],
  ['', null],
])('the phone %s becomes the link %s', (phone, link) => {
  expect(phoneLink(phone)).toBe(link)
})
