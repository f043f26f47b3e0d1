// A CSI plugin without storage, for the contract tests: "publishing" a volume makes an empty folder. With the argument "controller" it has a
// controller too, which knows every volume but those whose id begins with "missing". With "wait" it is a task that does nothing.
package main

import (
	"context"
	"log"
	"net"
	"os"
	"strings"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/wrapperspb"
)

type server struct {
	csi.UnimplementedIdentityServer
	csi.UnimplementedControllerServer
	csi.UnimplementedNodeServer
	hasController bool
}

func (server) Probe(context.Context, *csi.ProbeRequest) (*csi.ProbeResponse, error) {
	return &csi.ProbeResponse{Ready: wrapperspb.Bool(true)}, nil
}

func (server) GetPluginInfo(context.Context, *csi.GetPluginInfoRequest) (*csi.GetPluginInfoResponse, error) {
	return &csi.GetPluginInfoResponse{Name: "contract.example", VendorVersion: "1.0.0"}, nil
}

func (s server) GetPluginCapabilities(context.Context, *csi.GetPluginCapabilitiesRequest) (*csi.GetPluginCapabilitiesResponse, error) {
	if !s.hasController {
		return &csi.GetPluginCapabilitiesResponse{}, nil
	}
	service := &csi.PluginCapability_Service{Type: csi.PluginCapability_Service_CONTROLLER_SERVICE}
	capability := &csi.PluginCapability{Type: &csi.PluginCapability_Service_{Service: service}}
	return &csi.GetPluginCapabilitiesResponse{Capabilities: []*csi.PluginCapability{capability}}, nil
}

func (server) ControllerGetCapabilities(context.Context, *csi.ControllerGetCapabilitiesRequest) (*csi.ControllerGetCapabilitiesResponse, error) {
	return &csi.ControllerGetCapabilitiesResponse{}, nil
}

func (server) ValidateVolumeCapabilities(_ context.Context, request *csi.ValidateVolumeCapabilitiesRequest) (*csi.ValidateVolumeCapabilitiesResponse, error) {
	if strings.HasPrefix(request.VolumeId, "missing") {
		return nil, status.Error(codes.NotFound, "the storage has no such volume")
	}
	confirmed := &csi.ValidateVolumeCapabilitiesResponse_Confirmed{
		VolumeContext: request.VolumeContext, VolumeCapabilities: request.VolumeCapabilities, Parameters: request.Parameters,
	}
	return &csi.ValidateVolumeCapabilitiesResponse{Confirmed: confirmed}, nil
}

func (server) NodeGetInfo(context.Context, *csi.NodeGetInfoRequest) (*csi.NodeGetInfoResponse, error) {
	return &csi.NodeGetInfoResponse{NodeId: "node"}, nil
}

func (server) NodeGetCapabilities(context.Context, *csi.NodeGetCapabilitiesRequest) (*csi.NodeGetCapabilitiesResponse, error) {
	return &csi.NodeGetCapabilitiesResponse{}, nil
}

func (server) NodePublishVolume(_ context.Context, request *csi.NodePublishVolumeRequest) (*csi.NodePublishVolumeResponse, error) {
	return &csi.NodePublishVolumeResponse{}, os.MkdirAll(request.TargetPath, 0o700)
}

func (server) NodeUnpublishVolume(_ context.Context, request *csi.NodeUnpublishVolumeRequest) (*csi.NodeUnpublishVolumeResponse, error) {
	return &csi.NodeUnpublishVolumeResponse{}, os.RemoveAll(request.TargetPath)
}

func main() {
	if len(os.Args) > 1 && os.Args[1] == "wait" {
		time.Sleep(24 * time.Hour)
	}
	plugin := server{hasController: len(os.Args) > 1 && os.Args[1] == "controller"}
	listener, err := net.Listen("unix", strings.TrimPrefix(os.Getenv("CSI_ENDPOINT"), "unix://"))
	if err != nil {
		log.Fatal(err)
	}
	services := grpc.NewServer()
	csi.RegisterIdentityServer(services, plugin)
	csi.RegisterControllerServer(services, plugin)
	csi.RegisterNodeServer(services, plugin)
	log.Fatal(services.Serve(listener))
}
