import type { ExclusionReason, PageViewSource } from '@bancone/contract/analytics'
import type { LinkTag } from '@bancone/contract/link-tags'

/** Programs that show a preview of a link, among the bots. */
const PREVIEWERS =
  /^WhatsApp\/|facebookexternalhit|facebookcatalog|TelegramBot|Slack|Discordbot|Twitterbot|LinkedInBot|SkypeUriPreview|Viber|Pinterestbot|redditbot|Iframely|Embedly|vkShare|Mastodon|Bluesky/i

/** Headers of a request by their lower-case names. */
export type RequestHeaders = Readonly<Record<string, string | string[] | undefined>>

/**
 * Why a request of a page or of its script is no view that counts; null for one that does.
 * @param isBot whether the `User-Agent` is that of a program
 */
export function exclusionOf(
  headers: RequestHeaders,
  isBot: (userAgent: string) => boolean,
): Exclude<ExclusionReason, 'staff' | 'limit'> | null {
  const userAgent = String(headers['user-agent'] ?? '')
  const purpose = headers['sec-purpose'] ?? headers['purpose']
  if (purpose !== undefined && /prefetch|prerender|preview/i.test(String(purpose))) return 'preview'
  if (userAgent === '' || isBot(userAgent)) return PREVIEWERS.test(userAgent) ? 'preview' : 'bot'
  return headers['dnt'] === '1' || headers['sec-gpc'] === '1' ? 'privacy' : null
}

const PROTOCOLS = ['http:', 'https:', 'android-app:']

/** The site or app that a visitor came from, for example `https://www.example.it`; null when it is unknown. */
export function referrerOrigin(referrer: string | null): string | null {
  if (referrer === null || !URL.canParse(referrer)) return null
  const { protocol, host } = new URL(referrer)
  return PROTOCOLS.includes(protocol) && host !== '' ? `${protocol}//${host.slice(0, 255)}` : null
}

const tagSources: Record<LinkTag, PageViewSource> = {
  locandina: 'poster',
  volantino: 'flyer',
  link: 'link',
  condivisione: 'share',
  whatsapp: 'whatsapp',
}

const hosts: readonly (readonly [RegExp, PageViewSource])[] = [
  [/(^|\.)(whatsapp\.com|wa\.me|com\.whatsapp(\.w4b)?|wl\.co)$/, 'whatsapp'],
  [
    /(^|\.)(facebook\.com|fb\.me|instagram\.com|threads\.(net|com)|t\.co|twitter\.com|x\.com|linkedin\.com|lnkd\.in|tiktok\.com|pinterest\.[a-z.]+|reddit\.com|youtube\.com|t\.me|telegram\.(org|me)|com\.facebook\.[a-z.]+|com\.instagram\.android|org\.telegram\.[a-z.]+|com\.zhiliaoapp\.musically|com\.linkedin\.android|com\.twitter\.android)$/,
    'social',
  ],
  [
    /(^|\.)((google|bing|yahoo|ecosia|qwant|yandex|startpage|baidu)\.[a-z.]{2,6}|duckduckgo\.com|search\.brave\.com|virgilio\.it|libero\.it|com\.google\.android\.googlequicksearchbox)$/,
    'search',
  ],
]

/** The browsers inside of apps, which often name no page that a visitor came from. */
const SOCIAL_APPS = /\b(FB(AN|AV|_IAB)|Instagram|musical_ly|BytedanceWebview)\b/

type Origin = {
  tag: LinkTag | null
  /** As `referrerOrigin` returns it. */
  origin: string | null
  userAgent: string
  /** The origin of this application: its own pages lead on. */
  own: string
}

/** Where a view came from: what the link says, or else the referring page or app. */
export function sourceOf({ tag, origin, userAgent, own }: Origin): PageViewSource {
  if (tag !== null) return tagSources[tag]
  if (origin === null || origin === own) return SOCIAL_APPS.test(userAgent) ? 'social' : 'direct'
  const host = origin.slice(origin.indexOf('//') + 2).replace(/:\d+$/, '')
  return hosts.find(([pattern]) => pattern.test(host))?.[1] ?? 'site'
}
