import type { Pagination } from '@bancone/contract/paging'
import { useEffect } from 'react'
import { useSearchParams } from 'react-router'
import { formatOrdersSearch, parseOrdersSearch } from './orders-search.ts'

type PageBeyondLastProps = { page: number; pagination: Pagination }

/** Leads from a page that does not exist (an old link, or orders that have gone) to the last one. */
export function PageBeyondLast({ page, pagination }: PageBeyondLastProps) {
  const [search, setSearch] = useSearchParams()
  const last = Math.max(1, pagination.totalPages)
  useEffect(() => {
    if (page <= last) return
    setSearch(formatOrdersSearch({ ...parseOrdersSearch(search), page: last }), { replace: true })
  }, [page, last, search, setSearch])
  return null
}
