import { z } from 'zod/mini'
import { BrandPalette, HexColor } from './brand-color.ts'
import { endpoint } from './endpoint.ts'
import { MAX_IMAGE_BYTES, pictureErrors, UploadedImage } from './images.ts'
import { Closing, MAX_CLOSINGS, OpeningWeek } from './opening-hours.ts'
import { optionalText } from './optional-text.ts'

export const DESCRIPTION_LENGTH = 300

const GOOGLE = /^\/maps(\/(?!url).*)?$/
const GOOGLE_MAPS = /^\/(maps(\/(?!url).*)?)?$/
const OSM = /^\/(|search|directions|(node|way|relation)\/\d+|go\/[\w@~=-]+)\/?$/
const WAZE = /^\/([a-z]{2}(-[A-Z]{2})?\/)?(ul|live-map|location)(\/|$)/

/**
 * The hosts of well-known maps, and the paths that are places or their short links. Other paths of these hosts lead on to
 * any site.
 */
const mapPaths = new Map([
  ['maps.app.goo.gl', /^\/[\w-]+\/?$/],
  ['goo.gl', /^\/maps\/[\w-]+\/?$/],
  ['maps.google.com', GOOGLE_MAPS],
  ['maps.google.it', GOOGLE_MAPS],
  ['www.google.com', GOOGLE],
  ['www.google.it', GOOGLE],
  ['google.com', GOOGLE],
  ['google.it', GOOGLE],
  ['maps.apple.com', /^\/(|place|p\/[\w.~-]+|search|directions)\/?$/],
  ['maps.apple', /^\/p\/[\w.~-]+\/?$/],
  ['www.openstreetmap.org', OSM],
  ['openstreetmap.org', OSM],
  ['osm.org', OSM],
  ['waze.com', WAZE],
  ['www.waze.com', WAZE],
  ['ul.waze.com', WAZE],
])

/** Whether the URL leads to a place on a well-known map. Other links could lead customers anywhere. */
export function isMapLink(link: string): boolean {
  const url = parseUrl(link)
  if (url?.protocol !== 'https:' || url.port !== '' || url.username !== '') return false
  if (!mapPaths.get(url.hostname)?.test(url.pathname)) return false
  // What a redirector would be told.
  return ![...url.searchParams.values()].some((value) => /^\s*(https?:|[/\\]{2})/i.test(value))
}

/** `URL.canParse` is newer than the browsers that the pages are made for. */
function parseUrl(text: string): URL | null {
  try {
    return new URL(text)
  } catch {
    return null
  }
}

const MapLink = z.string().check(z.trim(), z.maxLength(1_000), z.refine(isMapLink))

const Description = optionalText(DESCRIPTION_LENGTH)

const fields = {
  brandColor: z.nullable(HexColor),
  /** Null where the pharmacy does not tell its hours. */
  openingWeek: z.nullable(OpeningWeek),
  closings: z.array(Closing).check(z.maxLength(MAX_CLOSINGS)),
  description: Description,
  mapUrl: z.nullable(MapLink),
}

/** What a pharmacy shows of itself on its public pages, besides name, address and telephone number. */
export const PharmacyProfile = z.object({
  ...fields,
  description: z.nullable(z.string()),
  logoUrl: z.nullable(z.string()),
})
export type PharmacyProfile = z.infer<typeof PharmacyProfile>

export const ProfileChange = z.strictObject({
  ...fields,
  /** The public id of an uploaded picture; null for no logo. Absent: the logo stays as it is. */
  logo: z.optional(z.nullable(z.string().check(z.maxLength(100)))),
})
export type ProfileChange = z.infer<typeof ProfileChange>

/** The part of a profile that the public pages are made of. */
export const PublicProfile = z.object({
  palette: z.nullable(BrandPalette),
  openingWeek: z.nullable(OpeningWeek),
  /** Those that are not over, in order. */
  closings: z.array(Closing),
  description: z.nullable(z.string()),
  mapUrl: z.nullable(z.string()),
})
export type PublicProfile = z.infer<typeof PublicProfile>

const params = z.object({ pharmacyId: z.uuid() })

export const getOwnProfile = endpoint({
  method: 'GET',
  path: '/api/pharmacy/profile',
  summary: 'Get the profile of the own pharmacy',
  access: 'pharmacy',
  role: 'owner',
  feature: 'custom_branding',
  response: PharmacyProfile,
  errors: [],
})

/** A logo is uploaded as a picture first. */
export const changeOwnProfile = endpoint({
  method: 'PUT',
  path: '/api/pharmacy/profile',
  summary: 'Change the profile of the own pharmacy',
  access: 'pharmacy',
  role: 'owner',
  feature: 'custom_branding',
  audit: 'profile_changed',
  body: ProfileChange,
  response: PharmacyProfile,
  errors: ['images.not_found'],
})

export const getPharmacyProfile = endpoint({
  method: 'GET',
  path: '/api/admin/pharmacies/:pharmacyId/profile',
  summary: 'Get the profile of a pharmacy',
  access: 'admin',
  params,
  /** With the name of the pharmacy. */
  response: z.extend(PharmacyProfile, { name: z.string() }),
  errors: ['pharmacies.not_found'],
})

export const changePharmacyProfile = endpoint({
  method: 'PUT',
  path: '/api/admin/pharmacies/:pharmacyId/profile',
  summary: 'Change the profile of a pharmacy',
  access: 'admin',
  audit: 'profile_changed',
  params,
  body: ProfileChange,
  response: z.extend(PharmacyProfile, { name: z.string() }),
  errors: ['pharmacies.not_found', 'images.not_found'],
})

/** The body is the bytes of the picture, which belongs to the pharmacy. It is removed after a day if it is not used. */
export const uploadPharmacyLogo = endpoint({
  method: 'POST',
  path: '/api/admin/pharmacies/:pharmacyId/images',
  summary: 'Upload a picture for a pharmacy',
  access: 'admin',
  audit: { none: 'recorded with the profile that shows the picture' },
  params,
  upload: { maxBytes: MAX_IMAGE_BYTES, tooLargeCode: 'images.too_large' },
  response: UploadedImage,
  status: 201,
  errors: ['pharmacies.not_found', ...pictureErrors],
})
