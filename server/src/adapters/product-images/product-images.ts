import { MAX_IMAGE_BYTES } from '@bancone/contract/images'
import { type Outbound, OutboundError, type OutboundRequest } from '../../ports/outbound.ts'
import type { ProductImages } from '../../ports/product-images.ts'

/**
 * Whether a URL matches the provider's URL template for some product code. Other URLs of the same origin do not match.
 *
 * @param template with `{minsan}` for the code; undefined when there is no provider
 */
export function isProductImageAddress(template: string | undefined, url: string): boolean {
  if (template === undefined) return false
  const codes = Array.from(url.matchAll(/(?=(\d{9}))/g), ([, code = '']) => code)
  return codes.some((code) => template.replaceAll('{minsan}', code) === url)
}

export type ProductImagesOptions = {
  /** The URL template of pictures, with `{minsan}` for the code. Undefined: there is no provider. */
  template: string | undefined
  fetch: Outbound['fetch']
  /** Time limits in milliseconds, for a download and for the check whether a picture exists. */
  timeLimitMs?: number
  lookTimeLimitMs?: number
}

const REDIRECTS = 3

/** A provider that serves pictures under URLs made from the product code. */
export function createProductImages(options: ProductImagesOptions): ProductImages {
  const { template, fetch, timeLimitMs = 15_000, lookTimeLimitMs = 5_000 } = options

  const url = (minsan: string) => template?.replaceAll('{minsan}', minsan) ?? null

  function ask(minsan: string, request: Omit<OutboundRequest, 'headers' | 'redirects'>) {
    const address = url(minsan)
    if (address === null) throw new Error('no provider of product pictures is configured')
    return fetch(address, { ...request, headers: { Accept: 'image/*' }, redirects: REDIRECTS })
  }

  return {
    url,

    async download(minsan, signal) {
      const request = { timeLimitMs, sizeLimit: MAX_IMAGE_BYTES, signal }
      const reply = await ask(minsan, request).catch(unusable)
      if (reply === 'unusable') return reply
      const { status, body } = reply
      if (status === 404 || status === 410) return 'none'
      if (status === 429 || status >= 500) throw new Error(`the provider answered ${status}`)
      return status === 200 && body.byteLength > 0 ? body : 'unusable'
    },

    async exists(minsan, signal) {
      // The Content-Length of a HEAD response describes a body that is not sent.
      const sizeLimit = Number.POSITIVE_INFINITY
      const request = { method: 'HEAD', timeLimitMs: lookTimeLimitMs, sizeLimit, signal } as const
      try {
        const { status, headers } = await ask(minsan, request)
        return status === 200 && /^image\//i.test(headers['content-type'] ?? 'image/')
      } catch {
        return false
      }
    },
  }
}

/** Permanent failures; all others are transient. */
function unusable(error: unknown): 'unusable' {
  if (!(error instanceof OutboundError)) throw error
  if (error.kind === 'unreachable' || error.kind === 'timeout') throw error
  return 'unusable'
}
