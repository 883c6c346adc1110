import { resolve } from 'node:path'
import { z } from 'zod'
import { Flag, hasReadableLogin, Origins, TrustProxy, url } from './config-values.ts'
import type { OidcSettings } from './platform/auth/auth.service.ts'
import { StartupError } from './startup-error.ts'

const Requirement = z.enum(['optional', 'required'], 'must be optional or required')

const Environment = z.object({
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
  AUTH_SESSION_DAYS: z
    .string()
    .regex(/^[1-9]\d{0,3}$/, 'must be a number of days')
    .transform(Number)
    .default(90),
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
  LOG_LEVEL: z
    .enum(
      ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
      'must be one of fatal, error, warn, info, debug, trace, silent',
    )
    .default('info'),
})

/** The names of all environment variables. */
export const variableNames = Environment.keyof().options

const familyOf = (name: string) => name.split('_')[0]

/** Variables that look like settings but are none: their first word is that of a setting, as in TRUST_PROXIES. */
function unknownNames(names: readonly string[]): string[] {
  const known = new Set<string>(variableNames)
  const families = new Set(variableNames.filter((name) => name.includes('_')).map(familyOf))
  return names.filter(
    (name) => name.includes('_') && families.has(familyOf(name)) && !known.has(name),
  )
}

export type S3Config = {
  bucket: string
  /** Undefined: Amazon S3. */
  endpoint: string | undefined
  region: string
  keys: { id: string; secret: string } | undefined
}

export type CloudinaryConfig = {
  cloud: string
  key: string
  secret: string
  uploadPreset: string | undefined
  folder: string
  apiUrl: string
}

export type Config = {
  port: number
  host: string
  /** The public base URL, without a trailing slash. */
  publicUrl: string
  dataDir: string
  /** Undefined: the embedded database in `dataDir`. */
  databaseUrl: string | undefined
  demo: boolean
  /** Undefined: generated at the first start and stored in `dataDir`. */
  appSecret: string | undefined
  airtable: { token: string | undefined; apiUrl: string }
  /** Seconds between two new orders in the demo; 0 for none. */
  demoOrderEvery: number
  auth: {
    signup: boolean
    anonymous: boolean
    /** The key with which other servers administer users and files. */
    adminKey: string | undefined
    /** Origins of other sites that may call the server (CORS), and that redirect URLs may lead to. */
    origins: string[]
    /** Whether administrators are required to enrol a second factor. */
    adminFactor: 'optional' | 'required'
    /** Whether a new password requires the current one, or another proof of this hour. */
    currentPassword: 'optional' | 'required'
    /** Days after which a session ends, however much it is used. */
    sessionDays: number
    oidc: OidcSettings | undefined
  }
  mail: {
    /** Undefined: mails are written to files in `dataDir`. */
    smtpUrl: string | undefined
    from: string
  }
  /** Undefined: files are stored in `dataDir`. Without keys, the default credential chain of AWS is used. */
  s3: S3Config | undefined
  /** Undefined: pictures are stored with the other files. */
  cloudinary: CloudinaryConfig | undefined
  /** The URL template of product pictures, with `{minsan}` for the product code. */
  productImageUrl: string | undefined
  /** The webhook that drafts product texts. */
  aiWebhookUrl: string | undefined
  /** The register of medicines: an address, or a file (`file:`). */
  medicineRegisterUrl: string | undefined
  /** Origins that outbound requests may reach although they are private or without TLS. */
  outboundAllow: string[]
  /** The host names on which a page load clears the browser storage. */
  previewHosts: string[]
  trustProxy: boolean | number | string[]
  logLevel: string
  /** The names of variables that look like settings but are none. */
  unknownNames: string[]
}

/**
 * Reads the configuration from the environment. Empty variables count as unset.
 *
 * @throws StartupError that lists all mistakes
 */
export function readConfig(environment: Record<string, string | undefined>): Config {
  const set = Object.entries(environment).filter(([, value]) => value !== undefined && value !== '')
  const parsed = Environment.safeParse(Object.fromEntries(set))
  if (!parsed.success) {
    const mistakes = parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`)
    throw new StartupError(`The configuration has mistakes: ${mistakes.join('; ')}.`)
  }
  const given = parsed.data
  const publicUrl = (given.PUBLIC_URL ?? localAddress(given.HOST, given.PORT)).replace(/\/+$/, '')
  const configured = given.DATABASE_URL ?? given.AIRTABLE_TOKEN ?? given.PUBLIC_URL
  const demo = given.DEMO ? given.DEMO === '1' : configured === undefined
  if (demo && !given.DEMO && !isLoopback(given.HOST)) {
    throw new StartupError(
      `With HOST=${given.HOST} others could reach the demo, whose passwords everybody knows: ` +
        'set DEMO=1 if they are meant to, or DEMO=0 and a new DATA_DIR for real use.',
    )
  }
  return {
    port: given.PORT,
    host: given.HOST,
    publicUrl,
    dataDir: resolve(given.DATA_DIR),
    databaseUrl: given.DATABASE_URL,
    demo,
    appSecret: given.APP_SECRET,
    airtable: { token: given.AIRTABLE_TOKEN, apiUrl: given.AIRTABLE_API_URL },
    demoOrderEvery: given.DEMO_ORDER_EVERY,
    auth: {
      signup: given.AUTH_SIGNUP === '1',
      anonymous: given.AUTH_ANONYMOUS === '1',
      adminKey: given.AUTH_ADMIN_KEY,
      origins: given.AUTH_ORIGINS,
      adminFactor: given.ADMIN_MFA ?? (demo ? 'optional' : 'required'),
      currentPassword: given.AUTH_CURRENT_PASSWORD,
      sessionDays: given.AUTH_SESSION_DAYS,
      oidc: oidcOf(given),
    },
    mail: {
      smtpUrl: given.SMTP_URL,
      from: given.MAIL_FROM ?? `Bancone <no-reply@${new URL(publicUrl).hostname}>`,
    },
    s3: s3Of(given),
    cloudinary: cloudinaryOf(given),
    productImageUrl: given.PRODUCT_IMAGE_URL,
    aiWebhookUrl: given.AI_WEBHOOK_URL,
    medicineRegisterUrl: given.AIC_REGISTER_URL,
    outboundAllow: given.OUTBOUND_ALLOW,
    previewHosts: given.PREVIEW_HOSTS,
    trustProxy: given.TRUST_PROXY,
    logLevel: given.LOG_LEVEL,
    unknownNames: unknownNames(set.map(([name]) => name)),
  }
}

type Given = z.output<typeof Environment>

function s3Of(given: Given): S3Config | undefined {
  const { S3_BUCKET: bucket, S3_ACCESS_KEY_ID: id, S3_SECRET_ACCESS_KEY: secret } = given
  if (!bucket) {
    if (given.S3_ENDPOINT || id || secret) throw mistake('S3_BUCKET is missing')
    return undefined
  }
  if (!id !== !secret) throw mistake('S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY go together')
  return {
    bucket,
    endpoint: given.S3_ENDPOINT,
    region: given.S3_REGION,
    keys: id && secret ? { id, secret } : undefined,
  }
}

function oidcOf(given: Given): OidcSettings | undefined {
  const { AUTH_OIDC_ISSUER: issuer, AUTH_OIDC_CLIENT_ID: clientId } = given
  const { AUTH_OIDC_CLIENT_SECRET: clientSecret, AUTH_OIDC_PROVIDER: provider } = given
  if (!issuer && !clientId && !clientSecret) return undefined
  if (!issuer || !clientId || !clientSecret) {
    throw mistake('AUTH_OIDC_ISSUER, AUTH_OIDC_CLIENT_ID and AUTH_OIDC_CLIENT_SECRET go together')
  }
  const { protocol, hostname } = new URL(issuer)
  // The issuer's responses decide who is signed in, so the connection must be authentic.
  if (protocol !== 'https:' && hostname !== 'localhost' && hostname !== '127.0.0.1') {
    throw mistake('AUTH_OIDC_ISSUER must be an https address, or be on this machine')
  }
  const name = given.AUTH_OIDC_NAME ?? provider
  return { provider, name, issuer, clientId, clientSecret }
}

function cloudinaryOf(given: Given): CloudinaryConfig | undefined {
  if (!given.CLOUDINARY_URL) return undefined
  const { hostname, username, password } = new URL(given.CLOUDINARY_URL)
  return {
    cloud: hostname,
    key: username,
    secret: password,
    uploadPreset: given.CLOUDINARY_UPLOAD_PRESET,
    folder: given.CLOUDINARY_FOLDER,
    apiUrl: given.CLOUDINARY_API_URL,
  }
}

function mistake(what: string): StartupError {
  return new StartupError(`The configuration has mistakes: ${what}.`)
}

/** Whether only programs on this machine can reach an address of the server. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host)
}

/** The server's URL for a browser on this machine. */
function localAddress(host: string, port: number): string {
  const everywhere = host === '0.0.0.0' || host === '::'
  const name = everywhere ? 'localhost' : host.includes(':') ? `[${host}]` : host
  return `http://${name}:${port}`
}
