import { expect, it } from 'vitest'
import { isMapLink } from './pharmacy-profile.ts'

it.each([
  ['https://maps.app.goo.gl/abc', true],
  ['https://www.google.com/maps/place/Farmacia/@45.07,7.68,17z', true],
  ['https://maps.google.it/?q=Via+Roma+1', true],
  ['https://maps.apple.com/?address=Via%20Roma%201', true],
  ['https://www.openstreetmap.org/node/1', true],
  ['http://www.google.com/maps/place/x', false],
  ['https://www.google.com/url?q=https://example.it', false],
  ['https://www.google.com.example.it/maps', false],
  ['https://www.google.com@example.it/maps', false],
  ['https://user@www.google.com/maps', false],
  ['https://www.google.com:8443/maps', false],
  ['https://goo.gl/abc', false],
  ['javascript:alert(1)//www.google.com/maps', false],
  ['https://constructor/', false],
  ['Via Roma 1', false],
])('%s: %s', (link, expected) => {
  expect(isMapLink(link)).toBe(expected)
})
