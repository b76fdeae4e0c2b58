package open

import "context"

func openHTTP(context.Context, string, Options) (*Store, error) {
	return nil, unsupported("http", "not supported yet")
}
