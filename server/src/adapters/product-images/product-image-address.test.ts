import { describe, expect, it } from 'vitest'
import { isProductImageAddress } from './product-images.ts'

const TEMPLATE = 'https://pictures.example/7/{minsan}.png?of={minsan}'

describe('the address of a picture of a product', () => {
  it.each([
    ['https://pictures.example/7/012745093.png?of=012745093', true],
    ['https://pictures.example/7/012745093.png?of=973344518', false],
    ['https://pictures.example/7/012745093.png', false],
    ['https://pictures.example/7/01274509.png?of=01274509', false],
    ['https://pictures.example/8/012745093.png?of=012745093', false],
    ['https://elsewhere.example/7/012745093.png?of=012745093', false],
    ['https://pictures.example/7/{minsan}.png?of={minsan}', false],
    ['', false],
  ])('is %s: %s', (url, is) => {
    expect(isProductImageAddress(TEMPLATE, url)).toBe(is)
  })

  it('may have digits right before the code', () => {
    expect(
      isProductImageAddress('https://a.example/1{minsan}', 'https://a.example/1012745093'),
    ).toBe(true)
  })

  it('is none where there is no provider', () => {
    expect(isProductImageAddress(undefined, 'https://pictures.example/012745093.png')).toBe(false)
  })
})
