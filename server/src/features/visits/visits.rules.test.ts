import { VisitHeaders } from '@bancone/contract/visits'
import { describe, expect, it } from 'vitest'
import { isUncounted, storableReferrer, storableText } from './visits.rules.ts'

describe('a visit', () => {
  it.each([
    ['of who asks not to be tracked', { dnt: '1' }, true],
    ['of who would not mind', { dnt: '0' }, false],
    ['of who has privacy control on', { 'sec-gpc': '1' }, true],
    ['of a page fetched beforehand', { 'sec-purpose': 'prefetch' }, true],
    ['of a page drawn beforehand', { 'sec-purpose': 'prefetch;prerender' }, true],
    ['of a page fetched beforehand, as it was said once', { purpose: 'prefetch' }, true],
    ['of a preview', { purpose: 'preview' }, true],
    ['that says nothing', {}, false],
  ])('%s: is it left out?', (_of, headers, uncounted) => {
    expect(isUncounted(VisitHeaders.parse(headers))).toBe(uncounted)
  })
})

describe('what is kept of a text', () => {
  it.each([
    ['all of it, if it is short', 'Mozilla/5.0', 'Mozilla/5.0'],
    ['500 letters', 'a'.repeat(501), 'a'.repeat(500)],
    ['whole letters', '😀'.repeat(501), '😀'.repeat(500)],
    ['no half of one', 'a\ud83db\ude00c', 'abc'],
    ['what the database takes', 'a\0b', 'ab'],
  ])('is %s', (_what, text, kept) => {
    expect(storableText(text)).toBe(kept)
  })
})

describe('what is kept of where a visitor came from', () => {
  it.each([
    ['https://www.example.it/', 'https://www.example.it/'],
    ['http://example.it:8080/a/b', 'http://example.it:8080/a/b'],
    ['https://example.it/cerca?q=antabuse&id=7#risultati', 'https://example.it/cerca'],
    ['https://mario:segreto@example.it/a', 'https://example.it/a'],
    ['android-app://com.whatsapp/', 'android-app://com.whatsapp/'],
    ['android-app://com.whatsapp/a?b#c', 'android-app://com.whatsapp/a'],
    ['https://example.it/\ud83d', 'https://example.it/%EF%BF%BD'],
    ['', null],
    [null, null],
    ['example.it', null],
    ['javascript:alert(1)', null],
    ['file:///home/mario/offerte.html', null],
    ['data:text/html,mario', null],
  ])('%j is %j', (referrer, kept) => {
    expect(storableReferrer(referrer)).toBe(kept)
  })

  it('is 500 letters at most', () => {
    const long = `https://example.it/${'a'.repeat(600)}`
    expect(storableReferrer(long)).toBe(long.slice(0, 500))
  })
})
