import { z } from 'zod'

/** A number, with the texts of the Graph API. */
export const MetaNumber = z.object({
  id: z.string(),
  display_phone_number: z.string(),
  verified_name: z.string(),
  code_verification_status: z.string().default('VERIFIED'),
  quality_rating: z.string().default('GREEN'),
  whatsapp_business_manager_messaging_limit: z.string().default('TIER_250'),
  status: z.string().default('PENDING'),
  name_status: z.string().default('APPROVED'),
  platform_type: z.string().default('NOT_APPLICABLE'),
  throughput: z.object({ level: z.string() }).default({ level: 'NOT_APPLICABLE' }),
  is_on_biz_app: z.boolean().default(false),
  /** The PIN of the two-step verification; null: none. */
  pin: z.string().nullable().default(null),
})
export type MetaNumber = z.output<typeof MetaNumber>

export type MetaAccount = {
  id: string
  name: string
  ownerName: string
  numbers: MetaNumber[]
  isSubscribed: boolean
  callback: { url: string; verifyToken: string } | null
  templates: MetaTemplate[]
  /** What Meta decides of new templates at once, for example `APPROVED` or `PENDING`. */
  newTemplateStatus: string
}

export type MetaTemplate = {
  id: string
  name: string
  language: string
  category: string
  status: string
  components: { type: string; text?: string | undefined }[]
}

const registered = {
  status: 'CONNECTED',
  platform_type: 'CLOUD_API',
  throughput: { level: 'STANDARD' },
}

function account(id: string, name: string, numbers: z.input<typeof MetaNumber>[]): MetaAccount {
  const parsed = numbers.map((each) => MetaNumber.parse(each))
  return {
    id,
    name,
    ownerName: name,
    numbers: parsed,
    isSubscribed: false,
    callback: null,
    templates: [],
    newTemplateStatus: 'APPROVED',
  }
}

/** The accounts at the stand-in, by what is particular about them. */
export function metaAccounts() {
  const name = { verified_name: 'Farmacia San Marco' }
  return {
    number: account('100000000000001', 'Farmacia San Marco', [
      { ...name, id: '200000000000001', display_phone_number: '+39 041 520 1234' },
    ]),
    other: account('100000000000002', 'Farmacia Rialto', [
      {
        id: '200000000000002',
        display_phone_number: '+39 041 520 9876',
        verified_name: 'Farmacia Rialto',
      },
    ]),
    empty: account('100000000000003', 'Farmacia Senza Numero', []),
    unverified: account('100000000000004', 'Farmacia San Marco', [
      {
        ...name,
        id: '200000000000004',
        display_phone_number: '+39 041 520 4444',
        code_verification_status: 'NOT_VERIFIED',
      },
    ]),
    review: account('100000000000005', 'Farmacia San Marco', [
      {
        ...name,
        ...registered,
        id: '200000000000005',
        display_phone_number: '+39 041 520 5555',
        status: 'PENDING',
        name_status: 'PENDING_REVIEW',
      },
    ]),
    businessApp: account('100000000000006', 'Farmacia San Marco', [
      {
        ...name,
        ...registered,
        id: '200000000000006',
        display_phone_number: '+39 041 520 6666',
        is_on_biz_app: true,
      },
    ]),
  }
}

export type MetaAccounts = ReturnType<typeof metaAccounts>
export type AccountName = keyof MetaAccounts

/** What a registration of the number changes. */
export function register(number: MetaNumber, pin: string): void {
  Object.assign(number, registered, { pin })
}
