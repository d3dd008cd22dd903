let service = '';

/** Titles the window by a page, and by the service behind it. @param ofService its title; it stays for pages that do not give it */
export function titleWindow(page: string | undefined, ofService = service): void {
  service = ofService;
  document.title = [page, service].filter(Boolean).join(' · ');
}
