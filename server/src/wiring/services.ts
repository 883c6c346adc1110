import { randomUUID } from 'node:crypto'
import type { ServiceProblem } from '@bancone/contract/services'
import { sql } from 'kysely'
import { createOpenIdProvider } from '../adapters/openid/openid-provider.ts'
import type { Config } from '../config/config.ts'
import type { Database } from '../database/database.ts'
import { type ServiceCheck, ServiceCheckError } from '../features/settings/services.service.ts'
import type { FileStore } from '../ports/file-store.ts'
import type { ImageHost } from '../ports/image-host.ts'
import { KindError } from '../ports/kind-error.ts'
import type { CheckedMailer } from '../ports/mailer.ts'
import { type MedicineRegister, MedicineRegisterError } from '../ports/medicine-register.ts'
import { AssistantError, type ProductAssistant } from '../ports/product-assistant.ts'
import type { ProductImages } from '../ports/product-images.ts'
import { type WhatsAppBusiness, WhatsAppBusinessError } from '../ports/whatsapp-business.ts'

/** The code of a common medicine. Whether the provider has a picture of it does not matter. */
const ANY_CODE = '012745168'

type Dependencies = {
  db: Database
  settings: {
    publicUrl: string
    airtable: { token?: string | undefined } | undefined
    auth: Pick<Config['auth'], 'oidc'>
    mail: { smtpUrl: string | undefined }
    files: { s3?: unknown }
    products?: { productImageUrl?: string | undefined }
  }
  /** Nothing is asked without a configured token. @throws SourceError */
  checkAirtable(signal: AbortSignal): Promise<void>
  mailer: CheckedMailer
  files: FileStore
  /** Undefined: pictures are stored with the other files. */
  cloudinary: ImageHost | undefined
  assistant: ProductAssistant | undefined
  productImages: ProductImages
  register: MedicineRegister | undefined
  lastImport(): Promise<{ importedAt: string } | undefined>
  pushKeys: { load(): Promise<unknown> }
  /** Undefined: not configured. */
  meta: Pick<WhatsAppBusiness, 'check'> | undefined
}

/** A check of each outside service by the adapter that the application uses. */
export function createServiceChecks(dependencies: Dependencies): ServiceCheck[] {
  const { db, settings, mailer, files, cloudinary, assistant, register, checkAirtable } =
    dependencies
  const { airtable, auth, publicUrl } = settings
  const needs = (service: unknown) => (service ? 'configured' : 'missing')
  return [
    {
      id: 'database',
      setup: 'configured',
      check: async () => void (await sql`select 1`.execute(db)),
    },
    {
      id: 'airtable',
      setup: needs(airtable?.token),
      check: (signal) => checkAirtable(signal).catch(asProblem),
    },
    {
      id: 'mail',
      setup: settings.mail.smtpUrl ? 'configured' : 'local',
      check: () => mailer.check().catch(asProblem),
    },
    { id: 'files', setup: settings.files.s3 ? 'configured' : 'local', check: () => tryFile(files) },
    {
      id: 'cloudinary',
      setup: needs(cloudinary),
      // A signed request that changes nothing: there is no such picture.
      check: async () => cloudinary?.remove('check_0').catch(asProblem),
    },
    {
      id: 'assistant',
      setup: needs(assistant),
      async check(signal) {
        const request = { productName: 'Prova', pharmacyId: 'PROVA', category: 'Altro' }
        await assistant?.draft(request, signal).catch(asProblem)
      },
    },
    {
      id: 'product_images',
      setup: needs(settings.products?.productImageUrl),
      async check(signal) {
        const found = await dependencies.productImages.download(ANY_CODE, signal)
        if (found === 'unusable')
          throw new ServiceCheckError('malformed', 'there is nothing to read')
      },
    },
    {
      id: 'identity_provider',
      setup: needs(auth.oidc),
      async check() {
        if (!auth.oidc) return
        // A new provider, because one remembers the discovery document.
        const redirectUri = `${publicUrl}/auth/v1/callback`
        const provider = createOpenIdProvider({ ...auth.oidc, redirectUri })
        const checks = { state: 'check', nonce: 'check', verifier: 'check' }
        await provider
          .authorizationUrl({ ...checks, scopes: [], loginHint: undefined, selectAccount: false })
          .catch(asProblem)
      },
    },
    {
      id: 'medicine_register',
      setup: needs(register),
      async check(signal) {
        if (register) await readOne(register, signal).catch(asProblem)
      },
      lastSuccess: async () => (await dependencies.lastImport())?.importedAt ?? null,
    },
    {
      id: 'push',
      setup: 'configured',
      // Each browser has a push service of its own; what this server needs are its keys.
      check: async () => void (await dependencies.pushKeys.load()),
    },
    {
      id: 'meta',
      setup: needs(dependencies.meta),
      async check(signal) {
        await dependencies.meta?.check(signal).catch(asProblem)
      },
    },
  ]
}

async function readOne(register: MedicineRegister, signal: AbortSignal): Promise<void> {
  for await (const _pack of register.packs(signal)) return
  throw new ServiceCheckError('malformed', 'there is nothing to read')
}

/** Stores a file, reads it and removes it. */
async function tryFile(files: FileStore): Promise<void> {
  const key = `checks/${randomUUID()}`
  const content = Buffer.from(key)
  await files.put(key, content, 'text/plain')
  try {
    const opened = await files.open(key)
    const read = opened && Buffer.concat(await opened.stream.toArray())
    if (!read?.equals(content)) throw new ServiceCheckError('malformed', 'there is nothing to read')
  } finally {
    await files.remove(key)
  }
}

/** The problem that an adapter's error means. */
function asProblem(error: unknown): never {
  const kind = problemOf(error)
  throw kind ? new ServiceCheckError(kind, 'the service failed', { cause: error }) : error
}

function problemOf(error: unknown): ServiceProblem | undefined {
  if (!(error instanceof KindError)) return undefined
  if (error instanceof AssistantError) {
    const { kind, status = 0 } = error
    if (kind === 'timeout') return 'timeout'
    if (kind === 'unreadable') return 'malformed'
    return kind === 'status' && status < 500 ? 'refused' : undefined
  }
  if (error instanceof WhatsAppBusinessError)
    return error.kind === 'unreachable' ? undefined : 'refused'
  if (error instanceof MedicineRegisterError)
    return error.kind === 'unreachable' ? undefined : 'malformed'
  // Of the order source, the image host, the mailer and the identity provider.
  const kind: unknown = error.kind
  return kind === 'refused' || kind === 'denied' ? 'refused' : undefined
}
