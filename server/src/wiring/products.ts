import { draftProduct } from '@bancone/contract/assistant'
import { findProductImage, removeProductImage } from '@bancone/contract/product-images'
import { createAiWebhook } from '../adapters/ai-webhook/ai-webhook.ts'
import { createAifaRegister } from '../adapters/aifa-register/aifa-register.ts'
import { createProductImages } from '../adapters/product-images/product-images.ts'
import { assistantLimits, createAssistant } from '../features/assistant/assistant.service.ts'
import type { ImagesService } from '../features/images/images.service.ts'
import type { PharmaciesStore } from '../features/pharmacies/pharmacies.store.ts'
import {
  createProductImagesService,
  productImageLimits,
} from '../features/product-images/product-images.service.ts'
import { createProductImagesStore } from '../features/product-images/product-images.store.ts'
import type { Http } from '../http/app-module.ts'
import { createAudit } from '../platform/audit.ts'
import type { Context } from '../platform/context.ts'
import { createOutbound } from '../platform/outbound.ts'
import type { TemporaryFiles } from '../platform/temporary-files.ts'

export type ProductSettings = {
  /** The URL template of product pictures, with `{minsan}` for the code; undefined: no provider. */
  productImageUrl?: string | undefined
  /** The webhook that drafts product texts; undefined: none. */
  aiWebhookUrl?: string | undefined
  /** The register of medicines: an address, or a file (`file:`); undefined: none. */
  medicineRegisterUrl?: string | undefined
  /** The webhook's time limit in milliseconds, if not the default. */
  aiTimeLimitMs?: number | undefined
}

type Dependencies = Context & {
  settings: ProductSettings
  images: Pick<ImagesService, 'keep'>
  pharmacies: Pick<PharmaciesStore, 'code'>
  temporaryFiles: TemporaryFiles
}

/** Wires the product services: pictures by code, and drafts of texts. */
export function wireProducts({ db, settings, images, pharmacies, limits, ...rest }: Dependencies) {
  const { productImageUrl, aiWebhookUrl, aiTimeLimitMs } = settings
  // Separate outbound clients: these configured origins may be private, but URLs from data must not reach them.
  const toProvider = createOutbound({ allow: originsOf(productImageUrl) })
  const toWorkflow = createOutbound({ allow: originsOf(aiWebhookUrl) })
  const webhook = aiWebhookUrl
    ? createAiWebhook({
        url: aiWebhookUrl,
        fetch: toWorkflow.fetch,
        ...(aiTimeLimitMs !== undefined && { timeLimitMs: aiTimeLimitMs }),
      })
    : undefined
  const provider = createProductImages({ template: productImageUrl, fetch: toProvider.fetch })
  const store = createProductImagesStore(db, createAudit(db))
  const productImages = createProductImagesService({
    ...rest,
    limits: limits(productImageLimits),
    store,
    provider,
    keep: (path) => images.keep(null, path, 'product'),
  })
  const assistant = createAssistant({
    assistant: webhook,
    pharmacyCode: pharmacies.code,
    limits: limits(assistantLimits),
  })
  return {
    webhook,
    provider,
    routes({ serve }: Http) {
      serve(findProductImage, ({ body }, { pharmacy }) =>
        productImages.find(pharmacy.id, body.minsan),
      )
      serve(removeProductImage, async ({ params }) => {
        await store.remove(params.minsan)
        return {}
      })
      serve(draftProduct, ({ body }, { pharmacy }, { signal }) =>
        assistant.draft(pharmacy.id, body, signal),
      )
    },
    close() {
      toProvider.close()
      toWorkflow.close()
    },
  }
}

export function originsOf(url: string | undefined): string[] {
  return url ? [new URL(url).origin] : []
}

/** The register of medicines; undefined when none is configured. */
export function registerOf(settings: ProductSettings | undefined, temporaryFiles: TemporaryFiles) {
  const url = settings?.medicineRegisterUrl
  return url === undefined
    ? undefined
    : createAifaRegister({ url, fetch: globalThis.fetch, temporaryFiles })
}
