// The official Go client signs in by OAuth and calls a tool, each when a line of standard input says so (../support/child.ts).
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"log"
	"net/url"
	"os"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/modelcontextprotocol/go-sdk/oauthex"
	"golang.org/x/oauth2"
)

type given struct {
	URL          string `json:"url"`
	RedirectURI  string `json:"redirect_uri"`
	DocumentURL  string `json:"document_url"`
	ClientID     string `json:"client_id"`
	ClientSecret string `json:"client_secret"`
}

var lines = bufio.NewScanner(os.Stdin)

// heard returns the next line; it is empty at the end.
func heard() string {
	lines.Scan()
	return lines.Text()
}

func say(what map[string]any) {
	json.NewEncoder(os.Stdout).Encode(what)
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

// source is a source of tokens whose token can be made to look expired.
type source struct {
	oauth2.TokenSource
	renew func(*oauth2.Token) oauth2.TokenSource
}

func (s *source) expire() {
	token, err := s.Token()
	check(err)
	expired := *token
	expired.Expiry = time.Now().Add(-time.Second)
	s.TokenSource = s.renew(&expired)
}

func fetchCode(_ context.Context, args *auth.AuthorizationArgs) (*auth.AuthorizationResult, error) {
	say(map[string]any{"open": args.URL})
	led, err := url.Parse(heard())
	if err != nil {
		return nil, err
	}
	query := led.Query()
	return &auth.AuthorizationResult{Code: query.Get("code"), State: query.Get("state"), Iss: query.Get("iss")}, nil
}

func main() {
	var to given
	check(json.Unmarshal([]byte(heard()), &to))
	var current *source
	config := &auth.AuthorizationCodeHandlerConfig{
		RedirectURL:              to.RedirectURI,
		AuthorizationCodeFetcher: fetchCode,
		RequestRefreshToken:      true,
		NewTokenSource: func(ctx context.Context, config *oauth2.Config, token *oauth2.Token) (oauth2.TokenSource, error) {
			renew := func(token *oauth2.Token) oauth2.TokenSource { return config.TokenSource(ctx, token) }
			current = &source{TokenSource: renew(token), renew: renew}
			return current, nil
		},
	}
	switch {
	case to.DocumentURL != "":
		config.ClientIDMetadataDocumentConfig = &auth.ClientIDMetadataDocumentConfig{URL: to.DocumentURL}
	case to.ClientID != "":
		config.PreregisteredClient = &oauthex.ClientCredentials{ClientID: to.ClientID}
		if to.ClientSecret != "" {
			config.PreregisteredClient.ClientSecretAuth = &oauthex.ClientSecretAuth{ClientSecret: to.ClientSecret}
		}
	default:
		config.DynamicClientRegistrationConfig = &auth.DynamicClientRegistrationConfig{
			Metadata: &oauthex.ClientRegistrationMetadata{
				ClientName:   "A program in Go",
				RedirectURIs: []string{to.RedirectURI},
				GrantTypes:   []string{"authorization_code", "refresh_token"},
			},
		}
	}
	handler, err := auth.NewAuthorizationCodeHandler(config)
	check(err)
	ctx := context.Background()
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1.0.0"}, nil)
	var session *mcp.ClientSession
	for line := heard(); line != ""; line = heard() {
		if line == "hour" {
			current.expire()
			say(map[string]any{"passed": true})
			continue
		}
		if session == nil {
			transport := &mcp.StreamableClientTransport{Endpoint: to.URL, OAuthHandler: handler}
			session, err = client.Connect(ctx, transport, nil)
			check(err)
			defer session.Close()
		}
		result, err := session.CallTool(ctx, &mcp.CallToolParams{Name: "locker_list", Arguments: map[string]any{}})
		check(err)
		say(map[string]any{"name": result.StructuredContent.(map[string]any)["name"]})
	}
}
