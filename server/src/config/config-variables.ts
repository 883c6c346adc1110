import { z } from 'zod'

/** A URL with one of these protocols. */
function url(protocols: readonly string[], message: string) {
  return z.string().refine((value) => {
    const parsed = safeUrl(value)
    return parsed !== null && protocols.includes(parsed.protocol)
  }, message)
}

function safeUrl(value: string): URL | null {
  try {
    return new URL(value)
  } catch {
    return null
  }
}

/** Whether the user name and the password in a URL can be decoded. */
function hasReadableLogin(value: string): boolean {
  const parsed = safeUrl(value)
  try {
    decodeURIComponent(`${parsed?.username}${parsed?.password}`)
    return true
  } catch {
    return false
  }
}

/** Fastify's `trustProxy`: `0` or `false`, the number of proxies, or their addresses. */
const TrustProxy = z.string().transform((value, context): boolean | number | string[] => {
  if (/^(0|false)$/i.test(value)) return false
  if (/^\d{1,2}$/.test(value)) return Number(value)
  const addresses = value.split(',').map((address) => address.trim())
  if (addresses.every((address) => /^[0-9a-f.:]+(\/\d{1,3})?$/i.test(address))) return addresses
  context.addIssue({ code: 'custom', message: 'must be a number of proxies or their addresses' })
  return z.NEVER
})

/** A comma-separated list of origins, such as `https://app.example.it`. */
const Origins = z.string().transform((value, context): string[] => {
  const origins = value.split(',').map((origin) => origin.trim())
  if (origins.every((origin) => isOrigin(origin))) return origins
  context.addIssue({
    code: 'custom',
    message: 'must be origins like https://app.example.it, with commas between them',
  })
  return z.NEVER
})

function isOrigin(text: string): boolean {
  const parsed = safeUrl(text)
  const wild = text.includes('*')
  return parsed !== null && !wild && /^https?:$/.test(parsed.protocol) && parsed.origin === text
}

const Flag = z.enum(['0', '1'], 'must be 0 or 1')

/** Whether the responses from an address are authentic. */
export function isTrusted(address: string): boolean {
  const { protocol, hostname } = new URL(address)
  return protocol === 'https:' || hostname === 'localhost' || hostname === '127.0.0.1'
}

/** Whether only programs on this machine can reach an address of the server. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host)
}

/** The server's URL for a browser on this machine. */
export function localAddress(host: string, port: number): string {
  const everywhere = host === '0.0.0.0' || host === '::'
  const name = everywhere ? 'localhost' : host.includes(':') ? `[${host}]` : host
  return `http://${name}:${port}`
}

const Requirement = z.enum(['optional', 'required'], 'must be optional or required')

/** The environment variables, with their defaults. */
export const Environment = z.object({
  PORT: z
    .string()
    .regex(/^\d{1,5}$/, 'must be a port number')
    .transform(Number)
    .refine((port) => port < 65_536, 'must be below 65536')
    .default(3000),
  HOST: z.string().default('127.0.0.1'),
  PUBLIC_URL: url(['http:', 'https:'], 'must be an http(s) address').optional(),
  DATA_DIR: z.string().default('./data'),
  DATABASE_URL: url(['postgres:', 'postgresql:'], 'must be a postgres:// address').optional(),
  DATABASE_POOL_URL: url(['postgres:', 'postgresql:'], 'must be a postgres:// address').optional(),
  DEMO: Flag.optional(),
  APP_SECRET: z.string().min(32, 'must have 32 characters at least').optional(),
  AIRTABLE_TOKEN: z.string().optional(),
  AIRTABLE_API_URL: url(['http:', 'https:'], 'must be an http(s) address').default(
    'https://api.airtable.com',
  ),
  DEMO_ORDER_EVERY: z
    .string()
    .regex(/^\d{1,6}$/, 'must be a number of seconds')
    .transform(Number)
    .default(45),
  AUTH_SIGNUP: Flag.default('0'),
  AUTH_ANONYMOUS: Flag.default('0'),
  AUTH_ADMIN_KEY: z
    .string()
    .regex(/^[!-~]{32,}$/, 'must have 32 characters at least, without spaces')
    .optional(),
  AUTH_ORIGINS: Origins.default([]),
  AUTH_CURRENT_PASSWORD: Requirement.default('optional'),
  ADMIN_MFA: Requirement.optional(),
  AUTH_OIDC_ISSUER: url(['https:', 'http:'], 'must be an http(s) address').optional(),
  AUTH_OIDC_CLIENT_ID: z.string().optional(),
  AUTH_OIDC_CLIENT_SECRET: z.string().optional(),
  AUTH_OIDC_PROVIDER: z
    .string()
    .regex(/^[a-z][a-z0-9_-]{0,39}$/, 'must be a short name in lower case, as in google')
    .refine((name) => name !== 'email' && name !== 'phone', 'must not be email or phone')
    .default('oidc'),
  AUTH_OIDC_NAME: z.string().max(40, 'must have 40 characters at most').optional(),
  OUTBOUND_ALLOW: Origins.default([]),
  BACKUP_TO: z.string().optional(),
  BACKUP_KEY_FILE: z.string().optional(),
  BACKUP_KEY: z.string().optional(),
  S3_BUCKET: z.string().optional(),
  S3_ENDPOINT: url(['http:', 'https:'], 'must be an http(s) address').optional(),
  S3_REGION: z.string().default('eu-south-1'),
  S3_ACCESS_KEY_ID: z.string().optional(),
  S3_SECRET_ACCESS_KEY: z.string().optional(),
  CLOUDINARY_URL: z
    .string()
    .regex(
      /^cloudinary:\/\/[^\s:@/]+:[^\s:@/]+@[\w-]+$/,
      'must be an address like cloudinary://key:secret@cloud',
    )
    .optional(),
  CLOUDINARY_UPLOAD_PRESET: z.string().optional(),
  CLOUDINARY_FOLDER: z.string().default('bancone'),
  CLOUDINARY_API_URL: url(['http:', 'https:'], 'must be an http(s) address').default(
    'https://api.cloudinary.com',
  ),
  PRODUCT_IMAGE_URL: url(['http:', 'https:'], 'must be an http(s) address')
    .refine((value) => value.includes('{minsan}'), 'must have {minsan} in it')
    .refine((value) => !/^\w+:\/\/[^/?#]*@/.test(value), 'must have no password in it')
    .optional(),
  AI_WEBHOOK_URL: url(['http:', 'https:'], 'must be an http(s) address')
    .refine(hasReadableLogin, 'must have %25 for a % in its name and password')
    .optional(),
  AIC_REGISTER_URL: url(
    ['http:', 'https:', 'file:'],
    'must be an http(s) address, or a file:// one',
  ).optional(),
  META_APP_ID: z
    .string()
    .regex(/^\d{1,30}$/, 'must be a number')
    .optional(),
  META_APP_SECRET: z.string().optional(),
  META_CONFIG_ID: z
    .string()
    .regex(/^\d{1,30}$/, 'must be a number')
    .optional(),
  META_WEBHOOK_VERIFY_TOKEN: z
    .string()
    .regex(/^[!-~]{16,}$/, 'must have 16 characters at least, without spaces')
    .optional(),
  META_GRAPH_URL: url(['https:', 'http:'], 'must be an http(s) address').optional(),
  SMTP_URL: url(['smtp:', 'smtps:'], 'must be an smtp:// or smtps:// address').optional(),
  MAIL_FROM: z
    .string()
    .regex(/^[^\r\n]*@[^\r\n]+$/, 'must be an address, as in Bancone <bancone@example.it>')
    .optional(),
  PREVIEW_HOSTS: z
    .string()
    .transform((value) => value.split(',').map((host) => host.trim().toLowerCase()))
    .default([]),
  TRUST_PROXY: TrustProxy.default(false),
  METRICS_PORT: z
    .string()
    .regex(/^[1-9]\d{0,4}$/, 'must be a port number')
    .transform(Number)
    .refine((port) => port < 65_536, 'must be below 65536')
    .optional(),
  SLOW_STATEMENT_MS: z
    .string()
    .regex(/^\d{1,6}$/, 'must be a number of milliseconds')
    .transform(Number)
    .default(500),
  DRAIN_SECONDS: z
    .string()
    .regex(/^(\d|1[0-5])$/, 'must be a number of seconds, 15 at most')
    .transform(Number)
    .default(0),
  LOG_LEVEL: z
    .enum(
      ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
      'must be one of fatal, error, warn, info, debug, trace, silent',
    )
    .default('info'),
})

/** The variables that are set, as values. */
export type Given = z.output<typeof Environment>

/** The names of all environment variables. */
export const variableNames = Environment.keyof().options

const familyOf = (name: string) => name.split('_')[0]

/** Variables that look like settings but are none: their first word is that of a setting, as in TRUST_PROXIES. */
export function unknownNames(names: readonly string[]): string[] {
  const known = new Set<string>(variableNames)
  const families = new Set(variableNames.filter((name) => name.includes('_')).map(familyOf))
  return names.filter(
    (name) => name.includes('_') && families.has(familyOf(name)) && !known.has(name),
  )
}
