/** What does not come from the service, as it is met in the wild, in own words. */
interface Page {
	readonly of: string;
	readonly status: number;
	readonly body: string;
	/** What of it is told. */
	readonly title: string;
}

/** Writes a page as web servers do. */
const page = (title: string, rest = '<hr><center>nginx</center>'): string =>
	`<html>\r\n<head><title>${title}</title></head>\r\n<body>\r\n<center><h1>${title}</h1></center>\r\n${rest}\r\n</body>\r\n</html>\r\n`;

/** tashfeenahmed/freellmapi#1298: a challenge, told as a wrong key. */
const CHALLENGE =
	'<!DOCTYPE html><html lang="en-US"><head><meta charset="UTF-8">\n<title data-x="1">\n  One moment,\n  please  </title><style>*{margin:0}</style></head><body><script>check(1<2)</script></body></html>';

/** mastodon/documentation#641: no JSON where a client expected it. */
const TOO_LARGE = page('413 Request Entity Too Large', '<hr><center>openresty</center>');

/** Refusals of 4xx that are no answer of the service (S 7). */
export const PAGES: readonly Page[] = [
	{ of: 'a firewall', status: 403, body: CHALLENGE, title: 'One moment, please' },
	{
		of: 'a load balancer without a title',
		status: 403,
		body: '<html><body><h1>403 Forbidden</h1>\nRequest forbidden by rules.\n</body></html>',
		title: '403 Forbidden Request forbidden by rules.',
	},
	{
		of: 'a store of files',
		status: 403,
		body: '<?xml version="1.0"?>\n<Error><Code>AccessDenied</Code><Message>No</Message></Error>',
		title: 'AccessDenied No',
	},
	{
		of: 'a server that wants https',
		status: 400,
		body: page('400 The plain HTTP request was sent to HTTPS port'),
		title: '400 The plain HTTP request was sent to HTTPS port',
	},
	{
		of: 'a server that wants a password',
		status: 401,
		body: page('401 Authorization Required'),
		title: '401 Authorization Required',
	},
	{
		of: 'a captive portal',
		status: 402,
		body: page('Sign in to Wi-Fi'),
		title: 'Sign in to Wi-Fi',
	},
	{
		of: 'another address',
		status: 404,
		body: page('404 Not Found', ''),
		title: '404 Not Found',
	},
	{
		of: 'a server of files',
		status: 405,
		body: page('405 Not Allowed'),
		title: '405 Not Allowed',
	},
	{ of: 'a framework', status: 409, body: 'API key not valid\n', title: 'API key not valid' },
	{
		of: 'a server with a small limit',
		status: 413,
		body: TOO_LARGE,
		title: '413 Request Entity Too Large',
	},
	{ of: 'a filter', status: 451, body: 'Blocked by policy', title: 'Blocked by policy' },
];
