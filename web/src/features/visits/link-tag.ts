import { TAG_PARAM, VISIT_TAGS, type VisitTag } from '@bancone/contract/visit-tags'
import { queryString } from '../../lib/query-string.ts'

/**
 * Reads the tag of the link that led here, and removes it from the address bar: a link that is copied from there is not
 * counted as the flyer.
 */
export function takeLinkTag(): VisitTag | null {
  const query = new URLSearchParams(location.search)
  const text = query.get(TAG_PARAM)
  if (text === null) return null
  query.delete(TAG_PARAM)
  history.replaceState(history.state, '', location.pathname + queryString(query) + location.hash)
  return VISIT_TAGS.find((tag) => tag === text) ?? null
}
