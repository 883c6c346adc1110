import { describe, expect, it } from 'vitest'
import {
  cloudinaryTransformation,
  ImageVariant,
  imageVariants,
  variantUrl,
} from './image-variants.ts'

const OURS = '/images/9b1f_1700000000000/0a1b2c3d4e5f6071'

describe('the address of a variant', () => {
  it.each(ImageVariant.options)('of a picture that we serve ends with its name: %s', (variant) => {
    expect(variantUrl(OURS, variant)).toBe(`${OURS}/${variant}`)
  })

  it.each(['', '.webp', '.png'])(
    'of a picture at Cloudinary says there how large it is to be, whatever it was sent as (%j)',
    (ending) => {
      const before = 'https://res.cloudinary.com/demo/image/upload/'
      const name = 'v1700000000/bancone/9b1f_1700000000000'
      expect(variantUrl(`${before}${name}${ending}`, 'product')).toBe(
        `${before}w_500,h_500,c_pad,b_white,q_90,f_auto/${name}.jpg`,
      )
    },
  )

  it.each([
    'https://images.example.it/012745093.png',
    'https://images.example.it/image/upload/012745093.png',
    'https://example.it/images/one/two',
    '/images/one',
    '/images/one/two/three',
    '/other/one/two',
    'data:image/png;base64,AAAA',
    '',
  ])('is the picture itself elsewhere: %j', (url) => {
    for (const variant of ImageVariant.options) expect(variantUrl(url, variant)).toBe(url)
  })
})

describe('the variants', () => {
  it('are as large and as good as the screens want them', () => {
    expect(imageVariants).toMatchObject({
      product: { width: 500, height: 500, quality: 90 },
      thumbnail: { width: 100, height: 100 },
      card: { width: 300, quality: 80 },
      dialog: { width: 400, quality: 90 },
    })
  })

  it.each([
    ['product', 'auto', 'w_500,h_500,c_pad,b_white,q_90,f_auto'],
    ['thumbnail', 'webp', 'w_100,h_100,c_pad,b_white,q_90,f_webp'],
    ['card', 'avif', 'w_300,c_limit,q_80,f_avif'],
    ['dialog-2x', 'jpeg', 'w_800,c_limit,q_90,f_jpg'],
    ['original', 'auto', 'q_90,f_auto'],
  ] as const)('%s as %s is %s in the words of Cloudinary', (variant, format, words) => {
    expect(cloudinaryTransformation(variant, format)).toBe(words)
  })

  it('of twice the points are twice as wide', () => {
    for (const name of ['thumbnail', 'card', 'dialog'] as const) {
      expect(imageVariants[`${name}-2x`].width).toBe(2 * imageVariants[name].width)
    }
  })
})
